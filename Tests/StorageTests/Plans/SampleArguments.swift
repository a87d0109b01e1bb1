/// What statements are planned with: values for the parameters that their headers name.
struct SampleArguments {
    /// The board on which all players stand.
    let board: Int32

    /// Lists of arguments, as EXECUTE takes them. Most statements have one list, made of their header.
    func lists(of name: String, _ text: String) -> [String] {
        if let lists = Self.own[name] { return lists.map { $0.replacing("BOARD", with: "\(board)") } }
        let values = Self.parameters(ofHeader: text).map(value)
        return values.isEmpty ? [""] : ["(\(values.joined(separator: ", ")))"]
    }

    /// The parameters of a header with what it says of each.
    private static func parameters(ofHeader text: String) -> [(type: String, meaning: String)] {
        var found: [(type: String, meaning: String)] = []
        for line in text.split(separator: "\n").prefix(while: { $0.hasPrefix("--") }) {
            for part in line.split(separator: "$").dropFirst() {
                let words = part.split(separator: " ")
                guard words.count >= 2, words[0] == "\(found.count + 1)" else { continue }
                found.append((String(words[1]), words.dropFirst(2).joined(separator: " ").lowercased()))
            }
        }
        return found
    }

    private func value(_ parameter: (type: String, meaning: String)) -> String {
        let (type, meaning) = parameter
        return switch type {
        case "int" where meaning.contains("board"): "\(board)"
        case "int[]" where meaning.contains("board"): "'{\(board),\(board),\(board)}'"
        case "text" where meaning.contains("charity") && meaning.contains("slug"): "'charity-1'"
        case "text" where meaning.contains("board"): "'large'"
        case "text" where meaning.contains("percentile"): "'5'"
        case "text[]" where meaning.contains("charit"): "'{charity-1,charity-2,charity-3}'"
        case "text[]" where meaning.contains("board"): "'{large,large,small}'"
        default: Self.values[type] ?? "null"
        }
    }

    private static let values = [
        "bool": "true", "smallint": "1", "int": "1", "bigint": "5", "numeric": "5", "double": "1", "text": "'default'",
        "bytea": "sha256('t5')", "uuid": "gen_random_uuid()", "date": "'2026-11-20'",
        "timestamptz": "'2026-11-20T12:00:00Z'", "bool[]": "'{t,f,t}'", "int[]": "'{1,1,1}'",
        "bigint[]": "'{5,500,5000}'", "numeric[]": "'{1,2,3}'", "text[]": "'{default,default,default}'",
        "bytea[]": "array[sha256('t5'), sha256('t6'), sha256('t7')]",
        "uuid[]": "array[gen_random_uuid(), gen_random_uuid(), gen_random_uuid()]",
        "date[]": "'{2026-11-20,2026-11-20,2026-11-20}'",
        "timestamptz[]": "array['2026-11-20T12:00:00Z', '2026-11-20T12:00:01Z', now()]::timestamptz[]",
    ]

    /// Arguments of statements that read something else by what they are asked.
    private static let own: [String: [String]] = [
        "admin_donations": [
            "('charity-1', null, null, null, 51)", "('charity-1', now(), gen_random_uuid(), null, 51)",
            "('charity-1', now(), null, -5, 51)",
        ],
        "country_rows": [
            "(BOARD, null, null, 'DE', 'from', 1, null, null, null, 51)",
            "(BOARD, '2026-11-01', '2026-11-20', 'DE-BE', 'after', null, 5, now(), 5, 51)",
        ], "country_sums": ["(BOARD, null, null, null)", "(BOARD, '2026-11-01', '2026-11-20', 'DE')"],
        "admin_ledger": ["(5, null, null, 51, true)", "(5, now(), gen_random_uuid(), 51, false)"],
        "admin_player": ["(5, true)", "(5, false)"],
        "admin_players": [
            "(null, 'n5', null, null, null, 0, 51)", "('default', 'n5', null, null, null, 0, 51)",
            "(null, null, 5, null, null, 0, 51)", "(null, null, null, array[sha256('t5')], null, 0, 51)",
            "(null, null, null, null, 'a5@b.example', 0, 51)",
        ], "audit_standings": ["('score')", "('donation')"], "audit_tallies": ["('score')", "('donation')"],
        "best_posts": ["(BOARD, 10)"], "best_posts_note": ["(5, BOARD, now())"],
        "best_posts_unread": ["(BOARD, 10, 1000, now())"],
        "board_page": [
            "(BOARD, null, -9223372036854775808, now(), 0, 0, 0, 11)", "(BOARD, null, -9000, now(), 1, 0, 0, 101)",
            "(BOARD, null, -9000, now(), 0, 101, 0, 1)", "(BOARD, 5, null, null, null, 5, 0, 6)",
        ], "board_positions": ["(BOARD, '{5}')", "(BOARD, '{25000,5,700}')"],
        "board_add": ["('default', 'new', '{name,zone}', '{New,UTC}', now())"],
        "charity_add": ["('new', '{name,name_folded,name_skeleton,zone}', '{New,new,new,UTC}', now())"],
        "charity_set": ["('charity-1', '{name,name_folded,name_skeleton}', '{New,new,new}', null)"],
        "board_set": ["('default', 'large', '{name,policy}', '{Large,sum}', null, now())"],
        "caller_find": [
            "(sha256('t5'), null, null, null, 'default', now())",
            "(null, sha256('t5'), sha256('t5'), null, null, now())", "(null, sha256('t5'), null, 5, null, now())",
        ],
        "callers_identify": [
            #"""
            ('{"\\x00",null,null,null}', '{null,"\\x00","\\x00",null}', '{null,null,"\\x01","\\x01"}',
             '{null,500,null,null}', '{default,null,null,default}', '{t,f,f,t}', now())
            """#
        ], "callers_lock": ["('{}', '{}', '{5,500,5000}')", #"('{"\\x00"}', '{"\\x01"}', '{}')"#],
        "correction_newest": ["(5, gen_random_uuid())", "(5, null)"],
        "device_join": [
            "(sha256('t5'), sha256('t5'), sha256('t5'), 5, 6, null, now(), now(), 100, true, 3, null)",
            "(sha256('t5'), sha256('t5'), null, 5, 6, null, now(), now(), 100, true, 3, sha256('t5'))",
        ], "device_use_note": ["(sha256('t5'), null, current_date)", "(null, sha256('t5'), current_date)"],
        "donations_newest": ["('charity-1', 50, 1000)", "(null, 50, 1000)"],
        "donated_by_name_of": ["('{5,500}', null, null)", "('{5,500}', 7, now())"],
        "player_donation_totals": ["(5, true, 10000)", "(5, false, 10000)"],
        "player_donations": [
            "(5, false, null, null, 51)", "(5, false, now(), gen_random_uuid(), 51)",
            "(5, true, now(), gen_random_uuid(), 51)", "(5, true, null, null, 51)",
        ],
        "player_register": [
            playerRegister(token: "sha256('t5')", game: "'default'"), playerRegister(token: "null", game: "null"),
        ],
        "player_scores": [
            "(5, false, null, null, 51, now())", "(5, false, now(), gen_random_uuid(), 51, now())",
            "(5, true, now(), gen_random_uuid(), 51, now())", "(5, true, null, null, 51, now())",
        ], "players_named": ["('default', 'Ada', BOARD, 20)"], "replica_reached": ["(1, 1, '0/0')"],
        "save_find": ["(5, 'a', null)", "(5, 'a', substring(sha256('t5'), 1, 16))"],
        "saves_exported": ["(5, null, null, null, 4)", "(5, 5, 'a', 1, 4)"],
        "score_details": [
            "(BOARD, '{5,500,5000}', '{1,2,3}', array[now(), now(), now()], null)",
            "(BOARD, '{5,500,5000}', '{1,2,3}', array[now(), now(), now()], 5)",
        ],
        "scores_restate": [
            "(5, '{5}', array[gen_random_uuid()], 'counted', 'voided', null, now())",
            "(5, null, null, null, 'voided', null, now())",
        ], "snapshot_commits_open": ["('1:1:')"],
    ]

    private static func playerRegister(token: String, game: String) -> String {
        """
        (\(token), \(game), 'n', 'n', null, null, null, 's', null, null, null, now(), true, null, 'token',
         sha256('t5'), 'counted', true, null, 'n', true, 'DE', 30)
        """
    }
}
