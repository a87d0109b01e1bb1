/// The marks of the house.
enum HouseMarks {
    /// The plate that is filled from below and smiles, in a square of 24 pixels.
    static func plate(_ plate: HexColor, holes: HexColor) -> [DrawingItem] {
        [
            .fill(.rectangle(Rectangle(2.5, 3, 19, 18), radius: 2.5), plate),
            .fill(.circle(x: 7.5, y: 7.5, radius: 1.6), holes), .fill(.circle(x: 16.5, y: 7.5, radius: 1.6), holes),
            .fill(
                .path("M2.5 11.5Q12 17.5 21.5 11.5V18.5A2.5 2.5 0 0 1 19 21H5A2.5 2.5 0 0 1 2.5 18.5Z"),
                HexColor(rgb: 0xc23a14)
            ),
        ]
    }

    /// The name of the house, from x 3 to 181 and from y -10 to 19.
    static let wordmark: [DrawingItem] = [
        .stroke(letters, widthPixels: 4.8, .chalk),
        .fill(.path("M119 8.5H126V11A3 3 0 0 1 123 14H122A3 3 0 0 1 119 11Z"), .coral),
    ]

    private static let letters: PathData = """
        M14 5.4V5A5 5 0 0 0 9 0H8A5 5 0 0 0 3 5V11A5 5 0 0 0 8 16H9A5 5 0 0 0 14 11V10.6\
        M22 5A5 5 0 0 1 27 0H28A5 5 0 0 1 33 5V11A5 5 0 0 1 28 16H27A5 5 0 0 1 22 11Z\
        M33 -2.4V18.4M41 -2.4V11A5 5 0 0 0 46 16H47A5 5 0 0 0 52 11V-2.4M52 8V18.4\
        M70.6 3.6A4 3.8 0 0 0 67 0H64A4 4 0 0 0 64 8H67A4 4 0 0 1 67 16H64A4 3.8 0 0 1 60.4 12.4\
        M79 8H90V5A5 5 0 0 0 85 0H84A5 5 0 0 0 79 5V11A5 5 0 0 0 84 16H85A5 5 0 0 0 89.6 12.8\
        M98 5A5 5 0 0 1 103 0H104A5 5 0 0 1 109 5V11A5 5 0 0 1 104 16H103A5 5 0 0 1 98 11Z\
        M98 -9.6V18.4M117 5A5 5 0 0 1 122 0H123A5 5 0 0 1 128 5V11A5 5 0 0 1 123 16H122A5 5 0 0 1 117 11Z\
        M136 5A5 5 0 0 1 141 0H142A5 5 0 0 1 147 5V11A5 5 0 0 1 142 16H141A5 5 0 0 1 136 11Z\
        M147 -2.4V18.4M155 -2.4V18.4M155 5A5 5 0 0 1 160 0H163\
        M167.6 5A5 5 0 0 1 172.6 0H173.6A5 5 0 0 1 178.6 5V11A5 5 0 0 1 173.6 16H172.6A5 5 0 0 1 167.6 11Z\
        M178.6 -9.6V18.4
        """
}
