/// A region that players come from: their names, their countries, and when it is evening there.
struct Region: Sendable {
    struct Country: Sendable {
        let code: String
        /// Minutes east of Greenwich; summer time is ignored.
        let offsetMinutes: Int
    }

    let given: [String]
    let family: [String]
    /// Whether the family name comes first, without a space.
    let familyFirst: Bool
    let countries: [Country]
    let weight: Int

    /// - Parameters:
    ///   - given: Given names, separated by spaces.
    ///   - countries: Codes with minutes east of Greenwich, separated by spaces: `DE+60 AT+60`.
    init(_ given: String, _ family: String, familyFirst: Bool = false, _ countries: String, weight: Int) {
        self.given = given.split(separator: " ").map(String.init)
        self.family = family.split(separator: " ").map(String.init)
        self.familyFirst = familyFirst
        self.countries = countries.split(separator: " ").map { country in
            Country(code: String(country.prefix(2)), offsetMinutes: Int(country.dropFirst(2)) ?? 0)
        }
        self.weight = weight
    }
}

extension Region {
    static let weightSums = all.map(\.weight).runningSums

    static let all: [Region] = [
        Region(
            """
            Ada Ben Chloe Dan Ella Finn Grace Harry Ivy Jack Kate Leo Mia Noah Olive Pippa Quinn Ruby Sam Tess Una \
            Violet Will Zoe
            """,
            """
            Ashby Barlow Carter Dunn Ellis Fletcher Grant Hughes Irving Jarvis Keane Lowe Marsh Nolan Osborne Price \
            Reed Shaw Turner Wells
            """, "US-300 US-360 US-480 GB+0 CA-300 AU+600 IE+0", weight: 26),
        Region(
            """
            Anna Björn Clara Dörte Emil Frieda Götz Hannah Ida Jürgen Käthe Lukas Maike Nils Oskar Paula Rüdiger Sören \
            Til Ute
            """,
            "Bäcker Dietz Engel Förster Groß Hübner Jäger Köhler Lange Möller Neumann Ott Pfeiffer Schäfer Vogt Weiß",
            "DE+60 AT+60 CH+60", weight: 12),
        Region(
            """
            Aurélie Benoît Chloé Daphné Élodie François Gaëlle Hélène Inès Joël Léa Maël Noémie Océane Rémi Solène \
            Théo Zoé
            """, "Bérard Cléry Delmas Fabre Gérard Hébert Lefèvre Moreau Noël Périer Rivière Séguin Thévenot Vidal",
            "FR+60 BE+60 CA-300 CH+60", weight: 9),
        Region(
            """
            Álvaro Begoña Camila Diego Esteban Inés Íñigo Joaquín Lucía Martín Nuria Óscar Pilar Raúl Sofía Tomás \
            Úrsula Ximena
            """,
            """
            Acuña Báez Castaño Domínguez Estévez Galván Ibáñez Jiménez López Muñoz Núñez Peña Quiñones Rincón Sáenz \
            Zúñiga
            """, "ES+60 MX-360 AR-180 CO-300 CL-240 PE-300", weight: 12),
        Region(
            """
            Antônio Beatriz Caio Débora Fábio Gonçalo Inês João Luísa Márcia Nádia Otávio Patrícia Simão Tainá Vitória
            """, "Abrão Brandão Conceição Falcão Guimarães Leitão Magalhães Noronha Peçanha Queirós Simões Távora",
            "BR-180 PT+0", weight: 8),
        Region(
            """
            Agnieszka Błażej Čeněk Dagný Eiríkur Freyja Grzegorz Håkon Ingrid Jiří Kristýna Łukasz Matěj Øyvind Řehoř \
            Søren Šárka Żaneta
            """,
            """
            Ågren Bjørnstad Černý Dvořák Gąsior Hrůza Kołodziej Lindström Mølgaard Nováková Östberg Sørlie Wójcik \
            Þórisdóttir
            """, "PL+60 CZ+60 SE+60 NO+60 DK+60 IS+0 FI+120", weight: 9),
        Region(
            "葵 蓮 陽菜 悠真 さくら 湊 結衣 大翔 美咲 颯太 ひなた 凛 健太 あかり", "佐藤 鈴木 高橋 田中 渡辺 伊藤 山本 中村 小林 加藤 吉田 森", familyFirst: true,
            "JP+540", weight: 7),
        Region(
            "伟 芳 秀英 静怡 子涵 浩然 欣怡 宇轩 雨桐 明 建国 小龙", "王 李 张 刘 陈 杨 赵 黄 周 吴 林 欧阳", familyFirst: true,
            "CN+480 TW+480 SG+480 HK+480", weight: 7),
        Region("민준 서연 도윤 하은 지호 수아 예준 지우 건우 나은", "김 이 박 최 정 강 조 윤 장 임", familyFirst: true, "KR+540", weight: 4),
        Region(
            "Алёна Борис Вера Григорий Дарья Егор Жанна Игорь Ксения Лев Мария Олеся Павел Юлія Ярослав",
            "Бойко Волков Гончар Зайцев Ковалёв Лебедь Мороз Орлов Соколенко Шевчук", "UA+120 KZ+300 BG+120 RS+60",
            weight: 5),
        Region(
            "أمل بدر جمال دانة رامي سلمى طارق ليلى منى نور هدى ياسر", "حداد خوري سالم شاهين صباغ عطار قاسم نجار",
            "EG+120 MA+60 AE+240 JO+180", weight: 4),
        Region("आरव अनन्या ईशान काव्या मीरा नील प्रिया रोहन सान्वी वीर", "अग्रवाल चौहान जोशी मेहता पटेल राव शर्मा वर्मा", "IN+330 NP+345", weight: 5),
        Region(
            "Çağla Emre Gülşah İpek Kerem Mert Özge Şebnem Tuğba Umut Yiğit Zeynep",
            "Aydın Çelik Doğan Güneş Işık Kılıç Öztürk Şahin Yıldız", "TR+180", weight: 4),
        Region(
            "Ánh Bảo Cường Đức Giang Hạnh Khánh Linh Ngọc Phương Quỳnh Thảo Tuấn Vỹ",
            "Bùi Đặng Đỗ Hồ Lê Nguyễn Phạm Trần Vũ", "VN+420", weight: 4),
        Region(
            "Ηλίας Θάλεια Ιάσων Καλλιόπη Λυδία Μάνος Νεφέλη Ορέστης Φοίβος Χλόη",
            "Αγγέλου Βλάχος Γαλάνη Ζήσης Κόκκινος Μελάς Παππάς Ρήγας", "GR+120 CY+120", weight: 2),
        Region(
            "Aroha Hēmi Kahurangi Mānuka Moana Ngaio Rāwiri Tāne Tāwhiri Wiremu",
            "Kōwhai Māhina Ngāpuke Pōhatu Rākau Tūroa Whetū", "NZ+720", weight: 2),
    ]
}
