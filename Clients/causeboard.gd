class_name Causeboard
extends Node
## Causeboard for games in Godot 4: one file without dependencies. No Godot has run it yet: the tests only parse it.
##
##     var board := Causeboard.open(self, "https://scores.example.org", "maze")
##     await board.sign_in("Ada")
##     board.post("lap", 61500)
##
## The client is a child of the node that opens it, and ends with it: open it from an autoload, which outlives scenes.
## An autoload may have any name but Causeboard. It needs Godot 4.2 or newer.
##
## The device makes its token itself and keeps it, and keeps what has no answer yet, in user://causeboard, for one
## process at a time. Posts and donations get their UUID and are written before the call returns. They are sent in their
## order, one request at a time, again and again until the server has said yes or no. Godot hands what it writes to the
## system and cannot ask for more: a crash of the game loses nothing, a loss of power may lose the last moments.
##
## A call that asks the server answers with what the server said, or with {"problem": {"type", "status", "detail"}}.
## `type` is a problem's name, such as out-of-bounds; of the client's own: unreachable, signed-out, queue-full, and
## unusual for an answer that no Causeboard gave, and not-stored when the device cannot keep what it has to.

## An item is pending, sent or refused: {"id", "kind", "path", "points", "state"}, and maybe "receipt" or "problem".
signal changed(item: Dictionary)
## Nothing is sent any more: the device was cut off, or the player is banned or has left. The queue stays.
signal stopped(problem: Dictionary)
## A registration was refused, maybe long after sign_in.
signal sign_in_refused(problem: Dictionary)
## A registration that was asked for has come to something, or cannot for now.
signal registration_answered

const REQUEST_SECONDS_MAX := 30.0
## A long history takes its time.
const EXPORT_SECONDS_MAX := 600.0
## After so long whatever was under way has ended without a word, as by an error in a script.
const BUSY_MSEC_MAX := 180_000
const RETRY_SECONDS_MIN := 1.0
const RETRY_SECONDS_MAX := 300.0
## What a proxy may ask for; a day is the most that is believed.
const RETRY_AFTER_SECONDS_MAX := 86_400.0
const ATTEMPTS_MAX := 10
## How often a sign-in is sent while the server cannot fetch the provider's keys; seconds before a retry if the server
## names none; and the longest wait.
const IDENTITY_ATTEMPTS_MAX := 3
const ISSUER_SECONDS := 10.0
const ISSUER_SECONDS_MAX := 30.0
const ITEMS_MAX := 10_000
const REFUSED_MAX := 100
## Files that are put aside, of each kind.
const DAMAGED_MAX := 10
## Dictionaries and lists of an answer, one in the other.
const DEPTH_MAX := 64
const MONTHS := ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const MY_TEAM := "/v1/players/me/team"
const MY_PLAN := "/v1/players/me/plan"

## Files that were damaged when this was opened, under the names under which they were put aside.
var damaged := PackedStringArray()

var _server := ""
var _game := ""
var _folder := ""
var _identity := {}
var _items: Array[Dictionary] = []
# The bytes of the queue's file that are whole lines; negative when it has to be written anew before anything else.
var _queue_bytes := -1
var _requests: Array[HTTPRequest] = []
var _clock_offset := 0
var _failures := 0
var _wait_until := 0
var _is_busy := false
var _busy_since := 0
var _is_idle := false
var _wake_at := 0
var _stopped := {}
# Before this time of the engine's clock the server does not take another token.
var _rotate_at := 0
# Who waits for what becomes of a registration, in the order of the calls: {"wanted"}, and "answer" once it is there.
var _registering: Array[Dictionary] = []
# What only this run knows of an item, by its id: {"bugs", "is_parked", "holds", "until"}; `until` is in milliseconds of
# the engine's clock.
var _held := {}


## Opens what this device keeps of the game, and begins to send what is still queued. Null when a file is there and
## cannot be read now: nothing is changed then, so try again. A file that is damaged is put aside instead.
static func open(parent: Node, server: String, game: String, account := "") -> Causeboard:
	var board := Causeboard.new()
	board._server = server.trim_suffix("/")
	board._game = "/v1/games/" + game.uri_encode()
	board._folder = "user://causeboard/" + (server + " " + game + " " + account).sha256_text().left(16)
	board.process_mode = Node.PROCESS_MODE_ALWAYS
	if not board._read():
		push_error("Causeboard: %s cannot be read now. Try again." % board._folder)
		board.free()
		return null
	# A parent that is just getting ready takes no children.
	parent.add_child.call_deferred(board)
	return board


#region The player


## Registers this device's player. Call it at each start, with the name that was typed here: the name by which this
## device signed in before is sent once, and does not take back one that the player got meanwhile on another device.
## Answers with the player; while the server cannot be reached with the one last known, or an empty dictionary.
## Registering is then tried again by itself. For another name too soon it answers with the problem rate-limited, and
## posts go on. `more` may have image, email, send_updates, country and device_name.
func sign_in(player_name: String, more := {}) -> Dictionary:
	var wanted: Dictionary = more.duplicate()
	if _is_new_name(player_name):
		wanted["name"] = player_name
	return await _enter(wanted)


## Gives the player another name. Answers as sign_in does.
func rename(player_name: String) -> Dictionary:
	return await _enter({"name": player_name})


## The player as last known, without asking the server.
func player() -> Dictionary:
	return _identity.get("player", {})


## Forgets the player, the token and all that is queued. Without a code on another device the player is lost. Whether
## the device has forgotten them, too: a full disk may keep them until the next time.
func forget() -> bool:
	_identity = {}
	_items.clear()
	_held.clear()
	_stopped = {}
	_answer_registering({})
	var is_saved := _save_identity()
	return _rewrite() and is_saved


## Erases the player for good, on the server and on this device, with all that is queued. Rows of rankings stay, as
## those of `A former player`. App stores want this in each game that makes players. `player_name` is the player's name,
## exactly, as who plays has typed it. Answers with {"receipt"}, by which the operators find that it was done.
func erase(player_name: String) -> Dictionary:
	if player().is_empty():
		return {"problem": _own_problem("signed-out", "Sign in first.")}
	await _take_turn()
	var body := JSON.stringify({"confirm": player_name})
	var token: String = _identity.get("token", "")
	var answer := await _send(HTTPClient.METHOD_POST, "/v1/players/me/erasure", body, token, "", _has_receipt)
	_is_busy = false
	# An answer that was lost is told again.
	var is_gone: bool = answer["type"] == "gone" and _has_receipt(answer["body"])
	if not answer["is_good"] and not is_gone:
		return {"problem": _problem(answer)}
	forget()
	return {"receipt": answer["body"]["receipt"]}


## Reports another player to the operators: `why` is name, picture, cheating or other, `text` in the player's own words.
func report(id: Variant, why: String, text := "") -> Dictionary:
	var body := {"why": why}
	if text:
		body["text"] = text
	return await _tell(HTTPClient.METHOD_POST, "/v1/players/%s/report" % _who(id), body)


## All that the server keeps of the player, for the player to have. It may be large; once an hour.
func export_data() -> Dictionary:
	return await _ask("/v1/players/me/export", {}, true, EXPORT_SECONDS_MAX)


## The own profile and wallet, or what everybody sees of another player, by its id in a row.
func profile(id: Variant = "me") -> Dictionary:
	return await _ask("/v1/players/" + _who(id), {}, _who(id) == "me")


## Changes image, email, send_updates, country, unlisted, asks or flag of the player. `asks` is whether the player
## accepts friend requests. `flag` is what everybody sees beside the name: DE or, of a region, DE-BE (ISO 3166); null
## shows none. A player who chose its flag less than 30 days ago gets the problem flag-fixed: its again_at says when it
## may choose another one.
func update(fields: Dictionary) -> Dictionary:
	return await _tell(HTTPClient.METHOD_PATCH, "/v1/players/me", fields, _has_id)


## Own scores, newest first: limit, after, before.
func scores(page := {}) -> Dictionary:
	return await _ask("/v1/players/me/scores", page, true)


## Own donations, newest first.
func donations(page := {}) -> Dictionary:
	return await _ask("/v1/players/me/donations", page, true)


#endregion
#region Devices


## A code of 8 characters that brings another device to this player, for 10 minutes.
func make_code() -> Dictionary:
	return await _tell(HTTPClient.METHOD_POST, "/v1/players/me/codes")


## A code of 26 characters to write down. A new one ends the former.
func make_recovery_code() -> Dictionary:
	return await _tell(HTTPClient.METHOD_POST, "/v1/players/me/recovery")


## Joins the player who was shown this code on another device. `merge` makes one player of both, when this device's has
## scores, donations or saves.
func join(code: String, merge := false, device_name := "") -> Dictionary:
	return await _come({"code": code}, "", merge, device_name)


## The devices that speak for the player: {"devices": […]}.
func devices() -> Dictionary:
	return await _ask("/v1/players/me/devices", {}, true)


## Cuts a device off by its id in the list, but not the last one. For 24 hours a new device cannot cut off an older one:
## device-too-new.
func remove_device(id: String) -> Dictionary:
	return await _tell(HTTPClient.METHOD_DELETE, "/v1/players/me/devices/" + id.uri_encode())


## Replaces this device's token and revokes all codes. The old token is kept until the server has accepted the new one.
## Returns whether it has begun: a token that cannot be stored is not used.
func rotate_token() -> bool:
	if player().is_empty():
		return false
	if not _identity.has("next_token"):
		_identity["next_token"] = _new_token()
		if not _save_identity():
			_identity.erase("next_token")
			return false
	_is_idle = false
	return true


#endregion
#region Signing in at a provider


## Requests a nonce for the provider's ID token: {"nonce", "expires_at"}. It is valid for 10 minutes, and for this
## device only. The device makes its token now if it has none. not-found when the game has no providers.
func sign_in_nonce() -> Dictionary:
	if not _make_device():
		return {"problem": _own_problem("not-stored", "The device cannot keep its token.")}
	var token: String = _identity["token"]
	return _body(await _send(HTTPClient.METHOD_POST, _game + "/sign-ins", "", token, "", _has_nonce))


## Signs in with an ID token. `identity` has provider (its slug in the game's settings), nonce, and token (the
## provider's ID token). If a player has linked this identity, the device joins that player, as with a code. Otherwise
## the device registers, and the identity is linked to its player. The device keeps its token, and the queue is sent as
## the player whom the device then has. A new player needs a name; a player who has linked the identity keeps its name.
## `merge` merges this device's own player, if it has scores, donations or saves; without it the answer is the problem
## has-history. The ID token is not stored, so the queue never repeats a sign-in: after a failure, call this again.
## While the server cannot fetch the provider's keys, it retries for at most a minute, and then answers with the problem
## issuer-away: the same token works until the nonce expires. After identity-refused, request a new nonce, and let the
## player sign in at the provider again.
func sign_in_with(identity: Dictionary, player_name := "", merge := false, device_name := "") -> Dictionary:
	var proof := _proof(identity)
	proof["provider"] = identity["provider"]
	return await _come({"identity": proof}, player_name, merge, device_name)


## Links an identity to the player, as in sign_in_with: devices that sign in with it join the player. Answers with
## {"provider", "linked_at", "used_on"}; identity-taken when another player has linked it, or this player has linked
## another one of the provider; device-too-new.
func link(identity: Dictionary) -> Dictionary:
	if player().is_empty():
		return {"problem": _own_problem("signed-out", "Sign in first.")}
	var path := _identity_path(identity["provider"])
	var body := JSON.stringify(_proof(identity))
	var expects := func(reply: Dictionary) -> bool: return reply.get("provider") == identity["provider"]
	var put := func() -> Dictionary:
		return await _send(HTTPClient.METHOD_PUT, path, body, _identity.get("token", ""), "", expects)
	return _body(await _asking_again(put))


## Unlinks the player's identities of a provider. It needs no ID token. The devices stay.
func unlink(provider: String) -> Dictionary:
	return await _tell(HTTPClient.METHOD_DELETE, _identity_path(provider))


## The player's linked identities: {"identities": […]}.
func identities() -> Dictionary:
	return await _ask("/v1/players/me/identities", {}, true)


static func _proof(identity: Dictionary) -> Dictionary:
	return {"nonce": identity["nonce"], "token": identity["token"]}


static func _identity_path(provider: String) -> String:
	return "/v1/players/me/identities/" + provider.uri_encode()


# Whether a name differs from the one under which this device signed in before.
func _is_new_name(player_name: String) -> bool:
	var is_known: bool = not player().is_empty() and not _identity.get("wanted", {}).has("name")
	return not is_known or player_name != _identity.get("asked", "")


# Registers the device with a code or an identity. Unlike a name, these are not stored: they expire soon, and whoever
# has one can join the player.
func _come(key: Dictionary, player_name: String, merge: bool, device_name: String) -> Dictionary:
	if not _make_device():
		return {"problem": _own_problem("not-stored", "The device cannot keep its token.")}
	var body := key.duplicate()
	if merge:
		body["merge"] = true
	if device_name:
		body["device_name"] = device_name
	if player_name and _is_new_name(player_name):
		body["name"] = player_name
	var identity := _identity
	var put := func() -> Dictionary: return await _come_once(identity, body, player_name)
	var answer := await _asking_again(put)
	if not answer["is_good"]:
		return {"problem": _problem(answer)}
	if not is_same(_identity, identity):
		return {}  # forgotten meanwhile
	_stopped = {}
	_go_on()
	return player()


func _come_once(identity: Dictionary, body: Dictionary, player_name: String) -> Dictionary:
	await _take_turn()
	var answer := await _put_device(identity, body)
	var is_nameless: bool = answer["type"] == "field" and answer["body"].get("field") == "name" and not body.has("name")
	if is_nameless and identity.has("asked"):
		# The server no longer knows the device, and makes a new player.
		var anew := body.duplicate()
		anew["name"] = identity["asked"]
		answer = await _put_device(identity, anew)
	if answer["is_good"] and is_same(_identity, identity):
		_take_player(answer)
		_identity.erase("wanted")
		if player_name:
			_identity["asked"] = player_name
		_save_identity()
	_is_busy = false
	return answer


# Retries, at the times that the server names, while it cannot fetch the provider's keys.
func _asking_again(put: Callable) -> Dictionary:
	for _attempt in IDENTITY_ATTEMPTS_MAX - 1:
		var answer: Dictionary = await put.call()
		if answer["type"] != "issuer-away":
			return answer
		var wait: float = answer["retry_after"] if answer["retry_after"] >= 0 else ISSUER_SECONDS
		if wait > ISSUER_SECONDS_MAX or not is_inside_tree():
			return answer
		await get_tree().create_timer(maxf(wait, RETRY_SECONDS_MIN), true, false, true).timeout
	return await put.call()


#endregion
#region Friends. None of these calls is queued: the result is known when the call answers


## {"friends", "asked", "asking", "blocked"}: the player's friends, received and sent friend requests, and blocked
## players.
func friends() -> Dictionary:
	return await _ask("/v1/players/me/friends", {}, true, REQUEST_SECONDS_MAX, _has_friends)


## Makes a friend code of 8 characters: {"code", "expires_at"}. Up to 20 players can use it within 24 hours. It replaces
## the previous code.
func make_friend_code() -> Dictionary:
	return await _tell(HTTPClient.METHOD_POST, "/v1/players/me/friends/codes", null, _has_code)


## Makes the player and the maker of a code friends: {"player", "name"}. code-refused; friends-full.
func befriend(code: String) -> Dictionary:
	return await _tell(HTTPClient.METHOD_POST, "/v1/players/me/friends", {"code": code}, _has_friend)


## Sends a friend request to a player of the game, or accepts the other's: {"state"} is friends or asking, which does
## not reveal whether the other sees it. forbidden when the game has no friend requests.
func ask(id: Variant) -> Dictionary:
	return await _tell(HTTPClient.METHOD_PUT, _friend_path(id), null, _has_friend_state)


## Ends a friendship, withdraws a request, or declines one.
func unfriend(id: Variant) -> Dictionary:
	return await _tell(HTTPClient.METHOD_DELETE, _friend_path(id))


## Blocks a player: ends a friendship, and stops the other's friend requests. The other is not told. Public rankings
## stay as they are; a game can hide the players whom friends lists as blocked.
func block(id: Variant) -> Dictionary:
	return await _tell(HTTPClient.METHOD_PUT, _block_path(id), null, Callable(), true)


## Ends a block. It does not make the two friends.
func unblock(id: Variant) -> Dictionary:
	return await _tell(HTTPClient.METHOD_DELETE, _block_path(id))


## A board among the player and its friends: window, season, limit, from. In each row, rank is the rank on the whole
## board, and among the rank among friends.
func friends_top(board_slug: String, query := {}) -> Dictionary:
	var path := _place(board_slug) + "/players/me/friends.json"
	return await _ask(path, query, true, REQUEST_SECONDS_MAX, _has_rows)


## The top donors among the player and its friends, to one charity or to all. Anonymous donations do not count.
func friend_contributors(charity_slug := "", query := {}) -> Dictionary:
	var path := _contributors_path(charity_slug) + "/players/me/friends.json"
	return await _ask(path, query, true, REQUEST_SECONDS_MAX, _has_rows)


static func _friend_path(id: Variant) -> String:
	return "/v1/players/me/friends/" + _who(id)


static func _block_path(id: Variant) -> String:
	return "/v1/players/me/blocks/" + _who(id)


#endregion
#region Teams. None of these calls is queued: the result is known when the call answers


## The player's team: {"id", "name", "role", "first_day", "members"}, and for the captain the code by which others join.
## An empty dictionary when the player is in no team.
func my_team() -> Dictionary:
	var answer := await _ask(MY_TEAM, {}, true, REQUEST_SECONDS_MAX, _is_own_team)
	return {} if answer.get("problem", {}).get("type") == "not-found" else answer


## Makes a team, and the player its captain: {"id", "name", "role", "first_day"}. name-refused; in-team when the player
## is in another team; team-full when the game has too many teams; forbidden when its players make no teams.
func make_team(team_name: String) -> Dictionary:
	return await _tell(HTTPClient.METHOD_PUT, MY_TEAM, {"make": team_name}, _is_membership)


## Joins a team by its captain's code, as make_team. After another team, the first day is tomorrow (UTC). code-refused;
## team-full; in-team when the player is in another team.
func join_team(code: String) -> Dictionary:
	return await _tell(HTTPClient.METHOD_PUT, MY_TEAM, {"code": code}, _is_membership)


## Changes the team, for its captain: all of it, or nothing. `change` may have name, captain (the id of the member who
## becomes the captain), remove (the id of the member who has to leave), and code, which is "new" and replaces the code.
## Answers as my_team. forbidden when the player is not the captain; not-found when there is no such member.
func change_team(change: Dictionary) -> Dictionary:
	return await _tell(HTTPClient.METHOD_PATCH, MY_TEAM, change, _is_own_team)


## Leaves the team at the end of the day (UTC).
func leave_team() -> Dictionary:
	return await _tell(HTTPClient.METHOD_DELETE, MY_TEAM)


## A team as everybody sees it, by its id in a row or in my_team: {"id", "name", "members", "made_at"}, and maybe
## closed_at, and roster where the game shows everybody who is in a team.
func team(id: Variant) -> Dictionary:
	return await _ask(_team_path(id), {}, false, REQUEST_SECONDS_MAX, _is_team)


## Reports the name of a team to the operators.
func report_team(id: Variant) -> Dictionary:
	return await _tell(HTTPClient.METHOD_POST, _team_path(id) + "/report", {"why": "name"})


## Teams by the points of their members: window, season, limit, after, before, from.
func teams_top(board_slug: String, query := {}) -> Dictionary:
	return await _ask(_place(board_slug) + "/teams/top.json", query, false, REQUEST_SECONDS_MAX, _has_rows)


## A board among the members of the player's team: window, season, limit, from. In each row, rank is the rank on the
## whole board, and among the rank in the team. top with team is the same of any team, where the game shows everybody
## who is in a team.
func my_team_top(board_slug: String, query := {}) -> Dictionary:
	return await _ask(_place(board_slug) + "/players/me/team.json", query, true, REQUEST_SECONDS_MAX, _has_rows)


## Teams of all games by what their members donated, to one charity or to all. Anonymous donations do not count.
func contributor_teams(charity_slug := "", query := {}) -> Dictionary:
	var path := _contributors_path(charity_slug) + "/teams/top.json"
	return await _ask(path, query, false, REQUEST_SECONDS_MAX, _has_rows)


func _team_path(id: Variant) -> String:
	return _game + "/teams/" + _who(id)


#endregion
#region Challenges. None of these calls is queued: the result is known when the call answers


## Challenges players on a board, for today and the next `days` days in the board's time zone: 1 to 14. The player has
## entered at once; the others are invited. `players` has 1 to 49 ids: of friends or, where the game allows it, also of
## players of the team. `more` may have stake (the points that everybody who enters gives to the winner's charity),
## charity (with a stake: who gets the points if the player wins), and id: after a call that came to nothing, another
## one with the same UUID makes no second challenge. Answers with {"id", "board", "state", "answer", "entrants"} and
## more. not-friends when one of the players may not be invited; challenges-full; board-closed; charity-closed;
## forbidden when challenges are off in the game; field.
func challenge(board_slug: String, players: Array, days: int, more := {}) -> Dictionary:
	var body: Dictionary = more.duplicate()
	body.erase("id")
	body.merge({"days": days, "players": players.map(_number)})
	var path := _challenge_path({"board": board_slug, "id": more.get("id", _new_id())})
	return await _tell(HTTPClient.METHOD_PUT, path, body, _is_challenge)


## {"rows", "next"}: the player's challenges, newest first, without their entrants: state, limit, after. They stay for
## 90 days after they were settled.
func challenges(query := {}) -> Dictionary:
	return await _ask("/v1/players/me/challenges", query, true, REQUEST_SECONDS_MAX, _has_challenges)


## A challenge as it is now, with its entrants: those who entered, best first. Everybody with rank 1 wins. Its maker
## also sees who has not entered. `contest` is any answer that has its id and board.
func standings(contest: Dictionary) -> Dictionary:
	return await _ask(_challenge_path(contest), {}, true, REQUEST_SECONDS_MAX, _is_challenge)


## Enters a challenge, also after declining or leaving it, and answers as standings. A challenge with a stake needs the
## charity that gets the points if the player wins; it may be changed until the challenge is over. challenge-over;
## charity-closed; challenges-full; field.
func enter(contest: Dictionary, charity_slug := "") -> Dictionary:
	var body := {} if charity_slug.is_empty() else {"charity": charity_slug}
	return await _tell(HTTPClient.METHOD_PUT, _challenge_path(contest) + "/entry", body, _is_challenge)


## Declines a challenge, or leaves it. Who leaves gives no stake. challenge-over.
func decline(contest: Dictionary) -> Dictionary:
	return await _tell(HTTPClient.METHOD_DELETE, _challenge_path(contest) + "/entry")


func _challenge_path(contest: Dictionary) -> String:
	return _place(contest["board"]) + "/challenges/" + str(contest["id"]).uri_encode()


# Ids are whole numbers, which JSON gives as floats.
static func _number(value: Variant) -> int:
	return int(value)


#endregion
#region Plans. None of these calls is queued: the result is known when the call answers


## How the server donates for the player: {"shares", "every", "keep", "anonymous", "since", "next_on"}, what it gave
## last, and the etag by which it is replaced. An empty dictionary when the player has no plan.
func plan() -> Dictionary:
	var answer := await _tell_of_plan(HTTPClient.METHOD_GET)
	return {} if answer.get("problem", {}).get("type") == "not-found" else answer


## Makes the player's plan, or replaces it: the server donates what the player has left beyond keep, after each day in
## UTC, each Sunday, or the last day of each month. The same plan again changes nothing. `shares` has 1 to 20 charities,
## {"charity", "share"} of each: a share is 1 to 10,000, and only the proportions matter. `every` is day, week or month.
## `more` may have keep (points that stay in the wallet), anonymous, and the etag of the plan which is replaced; without
## one there must be no plan. Answers as plan. stale when the plan is another one, such as after a change on another
## device: read it again. forbidden when plans are off in the game; field.
func set_plan(shares: Array, every: String, more := {}) -> Dictionary:
	var body: Dictionary = more.duplicate()
	body.erase("etag")
	body.merge({"shares": shares, "every": every})
	return await _tell_of_plan(HTTPClient.METHOD_PUT, body, more.get("etag", "*"))


## Ends the player's plan, by its etag. Donations that the server has already decided are still made. stale when the
## plan is another one; not-found when there is none.
func end_plan(etag: String) -> Dictionary:
	return await _tell_of_plan(HTTPClient.METHOD_DELETE, null, etag)


## What the player's plan would give of so many points now: {"points", "gifts"}, and maybe skipped. not-found when the
## player has no plan.
func preview(points: int) -> Dictionary:
	var answer := await _ask(MY_PLAN, {"points": points}, true, REQUEST_SECONDS_MAX, _has_preview)
	return answer if answer.has("problem") else answer["preview"]


# `seen` is the ETag of what is replaced or ended; * when there must be nothing.
func _tell_of_plan(method: HTTPClient.Method, body: Variant = null, seen := "") -> Dictionary:
	if player().is_empty():
		return {"problem": _own_problem("signed-out", "Sign in first.")}
	var text := "" if body == null else JSON.stringify(body)
	var token: String = _identity["token"]
	var said := await _send(method, MY_PLAN, text, token, "", _is_plan, REQUEST_SECONDS_MAX, false, seen)
	if said["is_good"] and method != HTTPClient.METHOD_DELETE:
		said["body"]["etag"] = said["etag"]
		# An answer without one is none of ours.
		said["is_good"] = said["etag"] != ""
		said["is_ours"] = said["is_good"]
	return _body(said)


#endregion
#region Awards


## {"awards"}: the awards of the game, and how far the player is: award (its slug), name, text, secret, picture,
## given_at, times, have and need of each. A secret award that the player does not have is without its text and numbers.
func awards() -> Dictionary:
	return await _ask("/v1/players/me/awards", {}, true, REQUEST_SECONDS_MAX, _has_awards)


## {"awards"}: the awards of the game, as everybody sees them: award (its slug), name, text, secret, picture and
## given_to of each. A secret award is without its text.
func game_awards() -> Dictionary:
	return await _ask(_game + "/awards", {}, false, REQUEST_SECONDS_MAX, _has_awards)


#endregion
#region Campaigns. None of these calls is queued: the result is known when the call answers


## {"rows", "of"}: all campaigns, those that end last first, without points: limit, from. Each has slug, name,
## first_day, last_day, from, until, state (coming, open or over) and final, and maybe text, charity or game, board and
## season, cohort and goal.
func campaigns(query := {}) -> Dictionary:
	return await _ask("/v1/campaigns.json", query, false, REQUEST_SECONDS_MAX, _has_campaigns)


## A campaign and how it stands: over donations also with points, contributors and milestones ({"points", "name"} and
## maybe reached_at of each), and maybe progress (percent of the goal) and to_next (what the next milestone lacks).
func campaign(campaign_slug: String) -> Dictionary:
	return await _ask(_campaign_path(campaign_slug), {}, false, REQUEST_SECONDS_MAX, _is_campaign)


## The ranking of a campaign's days: limit, after, before, from, players.
func campaign_top(campaign_slug: String, query := {}) -> Dictionary:
	var path := _campaign_path(campaign_slug) + "/top.json"
	return await _ask(path, query, false, REQUEST_SECONDS_MAX, _has_rows)


## Teams by what their members did on a campaign's days: limit, after, before, from. not-found also when the campaign's
## board ranks no teams.
func campaign_teams(campaign_slug: String, query := {}) -> Dictionary:
	var path := _campaign_path(campaign_slug) + "/teams/top.json"
	return await _ask(path, query, false, REQUEST_SECONDS_MAX, _has_rows)


## Enters a campaign that compares its players in cohorts: {"cohort", "of"}, the cohort's number from 1 and how many
## players it has room for. A player who has entered keeps its place. forbidden when players do not enter the campaign,
## or it is over a board of another game; challenge-over when it is over.
func enter_campaign(campaign_slug: String) -> Dictionary:
	return await _tell(HTTPClient.METHOD_PUT, _campaign_path(campaign_slug) + "/entry", null, _is_cohort)


## The ranking of a campaign's days among the player's cohort: limit, from. In each row, rank is the rank among all, and
## among the rank in the cohort. not-found when the player has not entered.
func cohort(campaign_slug: String, query := {}) -> Dictionary:
	var path := _campaign_path(campaign_slug) + "/players/me/cohort.json"
	return await _ask(path, query, true, REQUEST_SECONDS_MAX, _has_rows)


static func _campaign_path(campaign_slug: String) -> String:
	return "/v1/campaigns/" + campaign_slug.uri_encode()


#endregion
#region What is queued


## Queues a score, and returns its item: it is written, whether or not the server can be reached. `more` may have
## played_at (RFC 3339), which is now by the server's clock unless it is said, and detail.
func post(board_slug: String, points: int, more := {}) -> Dictionary:
	var body: Dictionary = more.duplicate()
	if not body.has("played_at"):
		body["played_at"] = Time.get_datetime_string_from_unix_time(_server_time()) + "Z"
	body["points"] = points
	return _add("score", _place(board_slug) + "/scores/", points, body)


## Queues a donation of points that the player has earned. It is never sent before a post that was queued earlier.
func donate(charity_slug: String, points: int, is_anonymous := false) -> Dictionary:
	var body := {"points": points}
	if is_anonymous:
		body["anonymous"] = true
	return _add("donation", "/v1/charities/" + charity_slug.uri_encode() + "/donations/", points, body)


## What has no answer yet, in its order.
func pending() -> Array[Dictionary]:
	return _in_state("pending")


## The newest 100 items that the server refused, until they are dismissed.
func refused() -> Array[Dictionary]:
	return _in_state("refused")


## Forgets a refused item.
func dismiss(id: String) -> void:
	for item in refused():
		if item["id"] == id:
			_remove(item)


## Tries at once what was set aside after ten failures, and what stopped because the device was cut off.
func retry() -> void:
	_stopped = {}
	for id: String in _held:
		_held[id]["bugs"] = 0
		_held[id]["is_parked"] = false
	_go_on()


func _in_state(state: String) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	for item in _items:
		if item["state"] == state:
			found.append(item)
	return found


func _add(kind: String, place: String, points: int, body: Dictionary) -> Dictionary:
	if pending().size() >= ITEMS_MAX:
		return {
			"problem": _own_problem("queue-full", "10,000 posts and donations wait already. This one was not stored.")
		}
	var id := _new_id()
	var item := {"id": id, "kind": kind, "path": place + id, "points": points, "state": "pending"}
	item["body"] = JSON.stringify(body)
	if not _append({"put": item}):
		return {"problem": _own_problem("not-stored", "The device cannot keep it.")}
	_items.append(item)
	changed.emit(item)
	_is_idle = false
	return item


#endregion
#region Rankings


## The boards of this game with their settings: {"boards": […]}.
func boards() -> Dictionary:
	return await _ask(_game + "/boards")


## The settings of a board.
func board(board_slug: String) -> Dictionary:
	return await _ask(_place(board_slug))


## The ranking: window, season, limit, after, before, from, players. With country (DE, or a region as DE-BE) the players
## who show its flag, and with team (an id) the team's members: then each row also has the rank among them. A row has
## detail where the board's details are public. A stranger's game may have sent anything.
func top(board_slug: String, query := {}) -> Dictionary:
	return await _ask(_place(board_slug) + "/top.json", query)


## Countries by the points of their best players, or with of (a country, such as DE) its regions: window, season, limit,
## after, before, from.
func countries_top(board_slug: String, query := {}) -> Dictionary:
	return await _ask(_place(board_slug) + "/countries/top.json", query, false, REQUEST_SECONDS_MAX, _has_rows)


## The rows around a player, by default the own one.
func around(board_slug: String, id: Variant = "me", query := {}) -> Dictionary:
	return await _ask("%s/players/%s/around.json" % [_place(board_slug), _who(id)], query, _who(id) == "me")


## Where a player stands, by default the own one; rank is null without a score.
func rank(board_slug: String, id: Variant = "me", query := {}) -> Dictionary:
	return await _ask("%s/players/%s" % [_place(board_slug), _who(id)], query, _who(id) == "me")


## The rank that a post made now would get.
func rank_of(board_slug: String, points: int) -> Dictionary:
	return await _ask(_place(board_slug) + "/rank", {"points": points})


## Charities by points received.
func charities(query := {}) -> Dictionary:
	return await _ask("/v1/charities.json", query)


## A charity, with its goal and progress.
func charity(charity_slug: String) -> Dictionary:
	return await _ask("/v1/charities/" + charity_slug.uri_encode())


## Who donated most, to one charity or to all.
func contributors(charity_slug := "", query := {}) -> Dictionary:
	return await _ask(_contributors_path(charity_slug) + "/top.json", query)


static func _contributors_path(charity_slug: String) -> String:
	return "/v1/contributors" if charity_slug.is_empty() else "/v1/charities/" + charity_slug.uri_encode()


func _place(board_slug: String) -> String:
	return _game + "/boards/" + board_slug.uri_encode()


# "me", or the id of a row, which is a number.
static func _who(id: Variant) -> String:
	return str(id) if id is String else str(int(id))


func _ask(
	path: String, query := {}, is_own := false, seconds := REQUEST_SECONDS_MAX, expects := Callable()
) -> Dictionary:
	if is_own and player().is_empty():
		return {"problem": _own_problem("signed-out", "Sign in first.")}
	var parts := PackedStringArray()
	for key: String in query:
		parts.append(key + "=" + str(query[key]).uri_encode())
	var target := path if parts.is_empty() else path + "?" + "&".join(parts)
	var token: String = _identity["token"] if is_own else ""
	return _body(await _send(HTTPClient.METHOD_GET, target, "", token, "", expects, seconds))


# `is_empty` is whether the answer is 204 without a body, as for each DELETE.
func _tell(
	method: HTTPClient.Method, path: String, body: Variant = null, expects := Callable(), is_empty := false
) -> Dictionary:
	if player().is_empty():
		return {"problem": _own_problem("signed-out", "Sign in first.")}
	var text := "" if body == null else JSON.stringify(body)
	return _body(await _send(method, path, text, _identity["token"], "", expects, REQUEST_SECONDS_MAX, is_empty))


#endregion
#region Sending the queue


func _process(_delta: float) -> void:
	var now := Time.get_ticks_msec()
	var is_busy := _is_busy and now - _busy_since < BUSY_MSEC_MAX
	if is_busy or now < _wait_until or (_is_idle and (_wake_at == 0 or now < _wake_at)):
		return
	_is_busy = true
	_busy_since = now
	_is_idle = true
	_wake_at = 0
	if await _step():
		_is_idle = false
	_is_busy = false


# Out of the tree a request ends without a word, and what waits for it would wait for ever.
func _exit_tree() -> void:
	for http: HTTPRequest in _requests.duplicate():
		http.request_completed.emit(HTTPRequest.RESULT_REQUEST_FAILED, 0, PackedStringArray(), PackedByteArray())


func _take_turn() -> void:
	while _is_busy:
		await get_tree().process_frame
	_is_busy = true
	_busy_since = Time.get_ticks_msec()


func _go_on() -> void:
	_wait_until = 0
	_failures = 0
	_is_idle = false


# Registers as `wanted` says. Several at once are sent one after the other, and each is answered for itself; the last
# one is kept through a restart.
func _enter(wanted: Dictionary) -> Dictionary:
	if not _make_device():
		return {"problem": _own_problem("not-stored", "The device cannot keep its token.")}
	_identity["wanted"] = wanted
	_save_identity()
	_stopped = {}
	var each := {"wanted": wanted}
	_registering.append(each)
	_go_on()
	while not each.has("answer"):
		await registration_answered
	return each["answer"]


# Answers those who asked for this registration, or all.
func _answer_registering(answer: Dictionary, wanted: Variant = null) -> void:
	for each: Dictionary in _registering.duplicate():
		if wanted == null or each["wanted"] == wanted:
			_registering.erase(each)
			each["answer"] = answer
	registration_answered.emit()


# Sends what is next. Whether there may be more to send, now or after the wait.
func _step() -> bool:
	if not _stopped.is_empty() or not _identity.has("token"):
		return false
	if _identity.has("next_token"):
		if Time.get_ticks_msec() >= _rotate_at:
			return await _rotate()
		_wake_at = _rotate_at
	if not _registering.is_empty():
		return await _register(_registering[0]["wanted"])
	if _identity.has("wanted"):
		return await _register(_identity["wanted"])
	if player().is_empty():
		return false
	var item := _next()
	if not item.is_empty():
		return await _deliver(item)
	for id: String in _held:
		var until: int = _held[id].get("until", 0)
		if until > 0 and (_wake_at == 0 or until < _wake_at):
			_wake_at = until
	return false


# A post may pass a donation that has to wait. A donation passes nothing but donations that were set aside.
func _next() -> Dictionary:
	var may_donate := true
	for item in _items:
		if item["state"] != "pending":
			continue
		var held: Dictionary = _held.get(item["id"], {})
		var is_parked: bool = held.get("is_parked", false)
		var is_waiting: bool = held.get("until", 0) > Time.get_ticks_msec()
		if not is_parked and not is_waiting and (item["kind"] == "score" or may_donate):
			return item
		if not (is_parked and item["kind"] == "donation"):
			may_donate = false
	return {}


func _put_device(identity: Dictionary, body: Dictionary) -> Dictionary:
	var answer := await _put_device_once(identity, body)
	if answer["type"] != "label-taken" or identity.has("player") or not is_same(_identity, identity):
		return answer
	# Another device has the label, such as one whose files were copied here. A new one is nobody's.
	identity["device"] = _new_id()
	_save_identity()
	return await _put_device_once(identity, body)


func _put_device_once(identity: Dictionary, body: Dictionary) -> Dictionary:
	var path: String = _game + "/devices/" + identity["device"]
	return await _send(HTTPClient.METHOD_PUT, path, JSON.stringify(body), identity["token"], "", _has_player)


func _register(wanted: Dictionary) -> bool:
	var identity := _identity
	var known := player()
	var player_name: String = wanted.get("name", "")
	var answer := await _put_device(identity, wanted)
	var is_nameless: bool = answer["type"] == "field" and answer["body"].get("field") == "name" and not player_name
	if is_nameless and not known.is_empty():
		# The server no longer knows the device, and makes a new player.
		player_name = identity.get("asked", "")
		var anew := wanted.duplicate()
		anew["name"] = player_name
		answer = await _put_device(identity, anew)
	if not is_same(_identity, identity):
		return true  # forgotten meanwhile
	# A player who is known plays on as before, whatever becomes of another name.
	var is_put_off: bool = not known.is_empty() and answer["is_ours"] and [429, 500].has(answer["status"])
	if _is_transient(answer) and not is_put_off:
		_answer_registering(known)
		return _later(answer)
	_failures = 0
	if _is_final(answer):
		return _stop(answer)
	if _identity.get("wanted") == wanted:
		_identity.erase("wanted")
	if answer["is_good"]:
		_take_player(answer)
		if player_name:
			_identity["asked"] = player_name
	_save_identity()
	if answer["is_good"]:
		_answer_registering(player(), wanted)
	elif is_put_off and wanted.is_empty():
		_answer_registering(known, wanted)
	else:
		_answer_registering({"problem": _problem(answer)}, wanted)
		sign_in_refused.emit(_problem(answer))
	return true


func _take_player(answer: Dictionary) -> void:
	var found: Dictionary = answer["body"]["player"]
	_identity["player"] = found
	if not _identity.has("asked"):
		_identity["asked"] = found.get("name", "")
	if answer["body"].get("sign_key") is String:
		_identity["sign_key"] = answer["body"]["sign_key"]


# The device has an old and a new token, and an answer may have been lost: whichever is good is asked.
func _rotate() -> bool:
	var identity := _identity
	var path := "/v1/players/me/token"
	var next: String = identity["next_token"]
	var body := JSON.stringify({"token": next})
	var answer := await _send(HTTPClient.METHOD_PUT, path, body, identity["token"], "", _has_sign_key)
	if answer["body"].get("limit") == "player-codes":
		# The old token is good, so that all else goes on by it.
		var wait: float = answer["retry_after"] if answer["retry_after"] >= 0 else RETRY_SECONDS_MAX
		_rotate_at = Time.get_ticks_msec() + int(wait * 1000)
		return true
	if answer["is_ours"] and answer["status"] == 401:
		answer = await _send(HTTPClient.METHOD_PUT, path, body, next, "", _has_sign_key)
	if not is_same(_identity, identity):
		return true  # forgotten meanwhile
	if _is_transient(answer):
		_answer_registering(player())
		return _later(answer)
	_failures = 0
	_identity.erase("next_token")
	if answer["is_good"]:
		_identity["token"] = next
		_identity["sign_key"] = answer["body"]["sign_key"]
	_save_identity()
	return _stop(answer) if _is_final(answer) else true


func _deliver(item: Dictionary) -> bool:
	var identity := _identity
	var answer := await _put(item, identity)
	if answer["type"] == "clock-skew":
		answer = await _put(item, identity)
	if answer["type"] == "bad-signature" and identity.has("sign_key"):
		# The key may be an old one. A registration without anything new brings the server's.
		var renewed := await _put_device(identity, {})
		if not is_same(_identity, identity):
			return true  # forgotten meanwhile
		if _is_transient(renewed):
			return _later(renewed)
		if _is_final(renewed):
			return _stop(renewed)
		if renewed["is_good"]:
			_take_player(renewed)
			_save_identity()
			answer = await _put(item, identity)
	if not is_same(_identity, identity):
		return true  # forgotten meanwhile
	if _is_transient(answer):
		return _later(answer, item)
	_failures = 0
	if answer["is_good"]:
		return _settle(item, answer["body"], {})
	if answer["type"] == "id-reused":
		return await _compare(item, identity, answer)
	var again := _again_seconds(answer) if item["kind"] == "donation" else -1.0
	if again >= 0:
		return _hold(item, answer, again)
	if _is_final(answer):
		return _stop(answer)
	return _settle(item, {}, _problem(answer))


func _put(item: Dictionary, identity: Dictionary) -> Dictionary:
	var sign_key: String = identity.get("sign_key", "")
	var expects := func(body: Dictionary) -> bool: return _is_receipt(body, item) and _has_points_of(body, item)
	return await _send(HTTPClient.METHOD_PUT, item["path"], item["body"], identity["token"], sign_key, expects)


# The id was used: for this very item, when its receipt has the same points.
func _compare(item: Dictionary, identity: Dictionary, refusal: Dictionary) -> bool:
	var expects := func(body: Dictionary) -> bool: return _is_receipt(body, item)
	var answer := await _send(HTTPClient.METHOD_GET, item["path"], "", identity["token"], "", expects)
	if not is_same(_identity, identity):
		return true  # forgotten meanwhile
	if _is_transient(answer):
		return _later(answer, item)
	if _is_final(answer):
		return _stop(answer)
	if answer["is_good"] and _has_points_of(answer["body"], item):
		return _settle(item, answer["body"], {})
	return _settle(item, {}, _problem(refusal))


func _settle(item: Dictionary, receipt: Dictionary, problem: Dictionary) -> bool:
	_held.erase(item["id"])
	if problem.is_empty():
		_remove(item)
		item.erase("problem")
		item["receipt"] = receipt
		item["state"] = "sent"
	else:
		item["problem"] = problem
		item["state"] = "refused"
		_append({"put": item})
		var old := refused()
		for each in old.slice(0, maxi(0, old.size() - REFUSED_MAX)):
			_remove(each)
	changed.emit(item)
	return true


# Seconds until the server says that a donation fits again; negative when it says no such thing.
func _again_seconds(answer: Dictionary) -> float:
	if answer["type"] == "points-settling":
		return answer["retry_after"] if answer["retry_after"] >= 0 else RETRY_SECONDS_MAX
	if answer["type"] == "cap-reached" and answer["body"].get("again_at"):
		var at := Time.get_unix_time_from_datetime_string(str(answer["body"]["again_at"]).left(19))
		if at <= 0:
			return RETRY_SECONDS_MAX  # it is no time
		var now: int = answer["date"] if answer["date"] > 0 else int(Time.get_unix_time_from_system())
		return maxf(0, at - now)
	return -1


# Keeps a donation back; posts may pass it.
func _hold(item: Dictionary, answer: Dictionary, again: float) -> bool:
	var holds: int = _held.get(item["id"], {}).get("holds", 0) if again < RETRY_SECONDS_MIN else 0
	var wait := _at_least(again, _jitter(holds))
	_held[item["id"]] = {"until": Time.get_ticks_msec() + int(wait * 1000), "holds": holds + 1}
	item["problem"] = _problem(answer)
	changed.emit(item)
	return true


# Seconds to wait after so many failures before this one.
func _jitter(failures: int) -> float:
	return minf(RETRY_SECONDS_MAX, RETRY_SECONDS_MIN * pow(2, mini(failures, 20))) * randf()


# How long the server wants to be left alone. Where it says at once, it is asked as seldom as one that says nothing.
func _at_least(wait: float, jitter: float) -> float:
	return wait if wait >= RETRY_SECONDS_MIN else RETRY_SECONDS_MIN + jitter


# Sends the same again later. After ten answers that are bugs of the server an item is set aside.
func _later(answer: Dictionary, item := {}) -> bool:
	var wait := _jitter(_failures)
	if _is_told_to_wait(answer):
		wait = _at_least(answer["retry_after"], wait)
	_failures += 1
	_wait_until = Time.get_ticks_msec() + int(wait * 1000)
	if not item.is_empty() and answer["status"] == 500:
		var held: Dictionary = _held.get(item["id"], {})
		_held[item["id"]] = held
		held["bugs"] = held.get("bugs", 0) + 1
		if held["bugs"] >= ATTEMPTS_MAX:
			held["is_parked"] = true
			_failures = 0
			item["problem"] = _problem(answer)
			changed.emit(item)
	return true


func _stop(answer: Dictionary) -> bool:
	_stopped = _problem(answer)
	_answer_registering({"problem": _stopped})
	stopped.emit(_stopped)
	return false


#endregion
#region One request


# {"status", "is_ours", "is_good", "type", "body", "date", "retry_after", "etag"}; status 0 when no answer came. It is
# ours when the contract has it for this request, and `expects` tells that of a body. All else, as a hotel's log-in page
# or what a proxy says while the server is mended, counts as no answer; so does a redirection, as a request carries the
# token. `seen` is the ETag of what is replaced or deleted; * when there must be nothing.
func _send(
	method: HTTPClient.Method,
	path: String,
	body: String,
	token: String,
	sign_key := "",
	expects := Callable(),
	seconds := REQUEST_SECONDS_MAX,
	is_empty := false,
	seen := ""
) -> Dictionary:
	if not is_inside_tree():
		await tree_entered
	var http := HTTPRequest.new()
	http.timeout = seconds
	http.max_redirects = 0
	# A browser has unpacked the body already, and Godot would unpack it once more.
	http.accept_gzip = not OS.has_feature("web")
	add_child(http)
	var headers := PackedStringArray()
	if token:
		headers.append("Authorization: Bearer " + token)
	if body:
		headers.append("Content-Type: application/json")
	if seen:
		headers.append(("If-None-Match: " if seen == "*" else "If-Match: ") + seen)
	if sign_key:
		var time := _server_time()
		var verb: String = {HTTPClient.METHOD_PUT: "PUT"}[method]
		headers.append("Causeboard-Signature: " + signature(sign_key, verb, path, time, body))
	var said := {
		"status": 0,
		"is_ours": false,
		"is_good": false,
		"type": "",
		"body": {},
		"date": 0,
		"retry_after": -1.0,
		"etag": ""
	}
	if http.request(_server + path, headers, method, body) == OK:
		_requests.append(http)
		var answer: Array = await http.request_completed
		_requests.erase(http)
		if answer[0] == HTTPRequest.RESULT_SUCCESS:
			_read_answer(said, answer[1], answer[2], answer[3].get_string_from_utf8())
			_judge(said, is_empty or method == HTTPClient.METHOD_DELETE, expects)
			if said["is_ours"] and said["date"] > 0:
				_clock_offset = said["date"] - int(Time.get_unix_time_from_system())
	http.queue_free()
	return said


# In seconds since 1970. Before the first answer it is the device's own.
func _server_time() -> int:
	return int(Time.get_unix_time_from_system()) + _clock_offset


func _read_answer(said: Dictionary, status: int, headers: PackedStringArray, text: String) -> void:
	var after := ""
	for header in headers:
		var value := header.substr(header.get_slice(":", 0).length() + 1).strip_edges()
		match header.get_slice(":", 0).to_lower():
			"content-type":
				said["kind"] = value.get_slice(";", 0).strip_edges().to_lower()
			"date":
				said["date"] = _http_date(value)
			"retry-after":
				after = value
			"etag":
				said["etag"] = value
	var seconds := -1.0
	if after.is_valid_int():
		seconds = maxf(0, after.to_int())
	elif _http_date(after) > 0 and said["date"] > 0:
		seconds = maxf(0, _http_date(after) - said["date"])
	said["retry_after"] = minf(seconds, RETRY_AFTER_SECONDS_MAX)
	said["status"] = status
	var body: Variant = _parsed(text) if str(said.get("kind", "")).ends_with("json") else null
	if body is Dictionary:
		said["body"] = body
		said["has_body"] = true


func _judge(said: Dictionary, is_empty: bool, expects: Callable) -> void:
	var status: int = said["status"]
	var is_ok := status >= 200 and status < 300
	if is_empty:
		said["is_good"] = status == 204
	elif is_ok and said.has("has_body") and said["kind"] == "application/json":
		said["is_good"] = not expects.is_valid() or expects.call(said["body"])
	var type := str(said["body"].get("type", ""))
	var is_problem: bool = (
		not is_ok and said.get("kind", "") == "application/problem+json" and type.begins_with("/problems/")
	)
	said["is_ours"] = said["is_good"] or is_problem
	if is_problem:
		said["type"] = type.trim_prefix("/problems/")


# What the contract answers with.
static func _has_player(body: Dictionary) -> bool:
	return body.get("player") is Dictionary and _has_id(body["player"])


static func _has_id(body: Dictionary) -> bool:
	return _is_number(body.get("id"))


static func _has_nonce(body: Dictionary) -> bool:
	return body.get("nonce") is String


static func _has_friends(body: Dictionary) -> bool:
	return body.get("friends") is Array


static func _has_code(body: Dictionary) -> bool:
	return body.get("code") is String


static func _has_friend(body: Dictionary) -> bool:
	return _is_number(body.get("player"))


static func _has_friend_state(body: Dictionary) -> bool:
	return ["friends", "asking"].has(body.get("state"))


static func _is_membership(body: Dictionary) -> bool:
	return _has_id(body) and body.get("name") is String and ["captain", "member"].has(body.get("role"))


static func _is_own_team(body: Dictionary) -> bool:
	return _is_membership(body) and body.get("members") is Array


static func _is_team(body: Dictionary) -> bool:
	return _has_id(body) and body.get("name") is String and _is_number(body.get("members"))


static func _has_rows(body: Dictionary) -> bool:
	return body.get("rows") is Array


static func _is_challenge(body: Dictionary) -> bool:
	if not (body.get("id") is String and body.get("board") is String):
		return false
	var is_state := ["open", "over", "settled", "lapsed"].has(body.get("state"))
	return is_state and ["invited", "entered", "declined", "left"].has(body.get("answer"))


static func _has_challenges(body: Dictionary) -> bool:
	if not _has_rows(body):
		return false
	return body["rows"].all(func(row: Variant) -> bool: return row is Dictionary and _is_challenge(row))


static func _has_awards(body: Dictionary) -> bool:
	if not body.get("awards") is Array:
		return false
	return body["awards"].all(
		func(each: Variant) -> bool:
			return each is Dictionary and each.get("award") is String and each.get("name") is String
	)


static func _has_campaigns(body: Dictionary) -> bool:
	if not _has_rows(body):
		return false
	return body["rows"].all(func(row: Variant) -> bool: return row is Dictionary and _is_campaign(row))


static func _is_campaign(body: Dictionary) -> bool:
	if not (body.get("slug") is String and body.get("name") is String):
		return false
	if body.get("points") != null and not _is_number(body["points"]):
		return false
	var milestones: Variant = body.get("milestones")
	var has_milestones: bool = milestones == null or (milestones is Array and milestones.all(_is_milestone))
	return has_milestones and ["coming", "open", "over"].has(body.get("state"))


static func _is_milestone(value: Variant) -> bool:
	return value is Dictionary and _is_number(value.get("points")) and value.get("name") is String


static func _is_cohort(body: Dictionary) -> bool:
	return _is_number(body.get("cohort")) and _is_number(body.get("of"))


static func _is_plan(body: Dictionary) -> bool:
	return body.get("shares") is Array and ["day", "week", "month"].has(body.get("every"))


static func _has_preview(body: Dictionary) -> bool:
	var preview_of: Variant = body.get("preview")
	return _is_plan(body) and preview_of is Dictionary and preview_of.get("gifts") is Array


static func _has_receipt(body: Dictionary) -> bool:
	return body.get("receipt") is String


static func _has_sign_key(body: Dictionary) -> bool:
	return body.get("sign_key") is String


static func _is_receipt(body: Dictionary, item: Dictionary) -> bool:
	if not _is_number(body.get("points")):
		return false
	var charity_path := "/v1/charities/" + str(body.get("charity", "")).uri_encode() + "/"
	return item["kind"] == "score" or str(item["path"]).begins_with(charity_path)


# Beyond 2^53 the numbers of JSON are floats, which are the number nearly.
static func _has_points_of(body: Dictionary, item: Dictionary) -> bool:
	var points := float(item["points"])
	return absf(float(body["points"]) - points) <= absf(points) * 1e-15


static func _is_number(value: Variant) -> bool:
	return value is float or value is int


## What Causeboard-Signature says of one request: `path` with its query as sent, `time` in whole seconds since 1970.
static func signature(sign_key: String, method: String, path: String, time: int, body: String) -> String:
	var key := Marshalls.base64_to_raw(sign_key.substr(4).replace("-", "+").replace("_", "/") + "=")
	var text := "\n".join(["v1", method, path, str(time), body.sha256_text()])
	var code := Crypto.new().hmac_digest(HashingContext.HASH_SHA256, key, text.to_utf8_buffer())
	return "t=%d,v1=%s" % [time, code.hex_encode()]


func _is_busy_status(status: int) -> bool:
	return status == 408 or status == 429 or status >= 500


func _is_told_to_wait(answer: Dictionary) -> bool:
	return answer["retry_after"] >= 0 and _is_busy_status(answer["status"])


# A clock that is wrong for the second time may be set later.
func _is_transient(answer: Dictionary) -> bool:
	return not answer["is_ours"] or _is_busy_status(answer["status"]) or answer["type"] == "clock-skew"


# The caller is cut off: asking again does not help. A signature is about one request, and not about who sends it.
func _is_final(answer: Dictionary) -> bool:
	var is_cut_off: bool = answer["status"] == 401 and answer["type"] != "bad-signature"
	# A label is taken when the token that had it is another one's now.
	is_cut_off = is_cut_off or answer["type"] == "label-taken"
	return answer["is_ours"] and (is_cut_off or answer["type"] == "banned" or answer["status"] == 410)


func _body(answer: Dictionary) -> Dictionary:
	return answer["body"] if answer["is_good"] else {"problem": _problem(answer)}


func _problem(answer: Dictionary) -> Dictionary:
	if answer["status"] == 0:
		return _own_problem("unreachable", "The server cannot be reached.")
	if not answer["is_ours"]:
		return _own_problem("unusual", "An answer that is not Causeboard's.", answer["status"])
	var problem := {"type": answer["type"], "status": answer["status"], "detail": answer["body"].get("detail", "")}
	if answer["retry_after"] >= 0:
		problem["retry_after"] = answer["retry_after"]
	if answer["body"].get("again_at") is String:
		problem["again_at"] = answer["body"]["again_at"]
	return problem


func _own_problem(type: String, detail: String, status := 0) -> Dictionary:
	return {"type": type, "status": status, "detail": detail}


# Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`; 0 when it is no such date.
static func _http_date(text: String) -> int:
	var parts := text.split(" ", false)
	if parts.size() != 6 or not MONTHS.has(parts[2]):
		return 0
	var month := MONTHS.find(parts[2]) + 1
	var date := "%s-%02d-%02dT%s" % [parts[3], month, parts[1].to_int(), parts[4]]
	return Time.get_unix_time_from_datetime_string(date)


#endregion
#region What a device keeps


# Whether there is a token that is kept: one that is not would lose the player with the game's next crash.
func _make_device() -> bool:
	if _identity.has("token"):
		return true
	_identity = {"device": _new_id(), "token": _new_token()}
	if _save_identity():
		return true
	_identity = {}
	return false


static func _new_token() -> String:
	var text := Marshalls.raw_to_base64(Crypto.new().generate_random_bytes(32))
	return "cbd_" + text.replace("+", "-").replace("/", "_").replace("=", "")


static func _new_id() -> String:
	var bytes := Crypto.new().generate_random_bytes(16)
	bytes[6] = (bytes[6] & 0x0f) | 0x40
	bytes[8] = (bytes[8] & 0x3f) | 0x80
	var hex := bytes.hex_encode()
	return "-".join([hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4), hex.substr(16, 4), hex.substr(20)])


# Whether what is kept could be read. If not, nothing is touched: what cannot be read is never written over.
func _read() -> bool:
	DirAccess.make_dir_recursive_absolute(_folder)
	var identity: Variant = _bytes(_folder + "/identity.json", _is_identity_file)
	var queue: Variant = _bytes(_folder + "/queue.jsonl", _is_queue_file)
	if identity == null or queue == null:
		return false
	var kept: Variant = _parsed(identity.get_string_from_utf8())
	if _is_identity(kept):
		_identity = kept
	elif not identity.is_empty():
		if not _put_aside("/identity.json", identity) or not _save_identity():
			return false
	var by_id := {}
	var is_damaged := false
	for change: Variant in _changes(queue):
		if change is Dictionary and _is_item(change.get("put")):
			by_id[change["put"]["id"]] = change["put"]
		elif change is Dictionary and change.get("end") is String:
			by_id.erase(change["end"])
		else:
			is_damaged = true
	if is_damaged and not _put_aside("/queue.jsonl", queue):
		return false
	_items.assign(by_id.values())
	_rewrite()
	return true


# What the lines of the queue's file say; null for a line that is damaged. What has no line feed at its end was cut off
# by a crash, before it was said to be stored. Lines are told apart as bytes, as a text ends at its first zero.
static func _changes(bytes: PackedByteArray) -> Array:
	var found := []
	var start := 0
	var end := bytes.find(10)
	while end >= 0:
		found.append(_parsed(bytes.slice(start, end).get_string_from_utf8()))
		start = end + 1
		end = bytes.find(10, start)
	return found


# The bytes of a file; empty when there is none, and null when it cannot be read now. On Windows Godot takes the old
# file away before the new one gets its name: a crash may leave the new one alone, under the name that it had before.
static func _bytes(path: String, is_whole: Callable) -> Variant:
	for name: String in [path, path + ".new"]:
		var file := FileAccess.open(name, FileAccess.READ)
		if file == null:
			if FileAccess.get_open_error() != ERR_FILE_NOT_FOUND:
				return null
			continue
		var bytes := file.get_buffer(file.get_length())
		if bytes.size() != file.get_length():
			return null
		if name == path or is_whole.call(bytes):
			return bytes
	return PackedByteArray()


static func _is_identity_file(bytes: PackedByteArray) -> bool:
	return _is_identity(_parsed(bytes.get_string_from_utf8()))


static func _is_queue_file(bytes: PackedByteArray) -> bool:
	return not bytes.is_empty() and bytes[bytes.size() - 1] == 10 and not _changes(bytes).has(null)


static func _is_identity(kept: Variant) -> bool:
	if not (kept is Dictionary and kept.get("device") is String and kept.get("token") is String):
		return false
	var is_player: bool = not kept.has("player") or _has_player(kept)
	return is_player and (not kept.has("wanted") or kept["wanted"] is Dictionary)


static func _is_item(kept: Variant) -> bool:
	if not (kept is Dictionary and kept.get("points") is int):
		return false
	if not ["id", "path", "body"].all(func(key: String) -> bool: return kept.get(key) is String):
		return false
	var is_known: bool = ["score", "donation"].has(kept.get("kind")) and ["pending", "refused"].has(kept.get("state"))
	return is_known and (kept["state"] == "pending" or kept.get("problem") is Dictionary)


# What JSON says; null when it is none.
static func _parsed(text: String) -> Variant:
	var json := JSON.new()
	return _whole(json.data) if json.parse(text) == OK else null


# Godot reads all numbers of JSON as floats. Those that are whole become ints, as ids, ranks and points are, but for
# percentages.
static func _whole(value: Variant, depth := 0) -> Variant:
	if value is float and value == floorf(value) and absf(value) <= 9007199254740991.0:
		return int(value)
	if depth == DEPTH_MAX:
		return value
	if value is Array:
		var values := []
		for each: Variant in value:
			values.append(_whole(each, depth + 1))
		return values
	if value is Dictionary:
		var members := {}
		for key: String in value:
			var is_percentage := key == "percentile" or key == "progress"
			members[key] = value[key] if is_percentage else _whole(value[key], depth + 1)
		return members
	return value


# Whether a copy of a damaged file is kept under a name of its own.
func _put_aside(file_name: String, bytes: PackedByteArray) -> bool:
	for number in range(1, DAMAGED_MAX + 1):
		var aside := "%s%s.damaged-%d" % [_folder, file_name, number]
		if FileAccess.file_exists(aside):
			continue
		if not _replace(aside, bytes):
			return false
		damaged.append(aside)
		push_warning("Causeboard: %s is damaged, and was put aside as %s." % [file_name, aside])
		return true
	return false


# Whether it is written. Nobody's is empty.
func _save_identity() -> bool:
	var text := "" if _identity.is_empty() else JSON.stringify(_identity)
	return _replace(_folder + "/identity.json", text.to_utf8_buffer())


func _remove(item: Dictionary) -> void:
	_append({"end": item["id"]})
	_items.erase(item)


# Whether it is written. The file is opened each time: only after closing it does Godot tell how much has come to it.
# What a full disk has taken of a line must not stand before the next one.
func _append(change: Dictionary) -> bool:
	if _queue_bytes < 0 and not _rewrite():
		return false
	var line := (JSON.stringify(change) + "\n").to_utf8_buffer()
	var path := _folder + "/queue.jsonl"
	var file := FileAccess.open(path, FileAccess.READ_WRITE)
	if file != null:
		file.seek(_queue_bytes)
		file.store_buffer(line)
		file.flush()
		var error := file.get_error()
		file.close()
		if error == OK and _size(path) == _queue_bytes + line.size():
			_queue_bytes += line.size()
			return true
	_queue_bytes = -1
	_rewrite()
	return false


# The queue as it is, in place of all changes that led to it. Whether that is written.
func _rewrite() -> bool:
	var lines := _items.map(func(item: Dictionary) -> String: return JSON.stringify({"put": item}) + "\n")
	var bytes := "".join(PackedStringArray(lines)).to_utf8_buffer()
	var is_written := _replace(_folder + "/queue.jsonl", bytes)
	_queue_bytes = bytes.size() if is_written else -1
	return is_written


# In bytes; negative when it cannot be read.
static func _size(path: String) -> int:
	var file := FileAccess.open(path, FileAccess.READ)
	return -1 if file == null else file.get_length()


# The new bytes stand under its name, or the old ones still do; whether it is the new ones. Only the owner may read
# them. Godot does not tell of all that a full disk refuses, so what was written is read again before it takes the name.
static func _replace(path: String, bytes: PackedByteArray) -> bool:
	var fresh := path + ".new"
	var file := FileAccess.open(fresh, FileAccess.WRITE)
	if file == null:
		return false
	FileAccess.set_unix_permissions(fresh, FileAccess.UNIX_READ_OWNER | FileAccess.UNIX_WRITE_OWNER)
	file.store_buffer(bytes)
	file.flush()
	var error := file.get_error()
	file.close()
	if error == OK and FileAccess.get_file_as_bytes(fresh) == bytes:
		return DirAccess.rename_absolute(fresh, path) == OK
	DirAccess.remove_absolute(fresh)
	return false

#endregion
