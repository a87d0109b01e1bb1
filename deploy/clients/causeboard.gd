class_name Causeboard
extends Node
## Causeboard for games in Godot 4: one file without dependencies. No Godot has run it yet: the tests only parse it.
##
##     var board := Causeboard.open(self, "https://scores.example.org", "maze")
##     await board.sign_in("Ada")
##     board.post("lap", 61500)
##
## The device makes its token itself and keeps it, and keeps what has no answer yet, in user://causeboard, for one
## process at a time. Posts and gifts get their UUID and are written before the call returns. They are sent in their
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
## The registration that was asked for has come to something, or cannot for now.
signal _signed_in(answer: Dictionary)

const REQUEST_SECONDS_MAX := 30.0
const RETRY_SECONDS_MIN := 1.0
const RETRY_SECONDS_MAX := 300.0
## What a proxy may ask for; a day is the most that is believed.
const RETRY_AFTER_SECONDS_MAX := 86_400.0
const ATTEMPTS_MAX := 10
const ITEMS_MAX := 10_000
const REFUSED_MAX := 100
const MONTHS := ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

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
var _is_idle := false
var _wake_at := 0
var _stopped := {}
# What only this run knows of an item, by its id: {"bugs", "is_parked", "holds", "until"}; `until` is in milliseconds of
# the engine's clock.
var _held := {}


## Opens what this device keeps of the game, and begins to send what is still queued.
static func open(parent: Node, server: String, game: String, account := "") -> Causeboard:
	var board := Causeboard.new()
	board._server = server.trim_suffix("/")
	board._game = "/v1/games/" + game.uri_encode()
	board._folder = "user://causeboard/" + (server + " " + game + " " + account).sha256_text().left(16)
	board.process_mode = Node.PROCESS_MODE_ALWAYS
	board._read()
	parent.add_child(board)
	return board


#region The player


## Registers this device's player under a name, or gives it another name. Call it at each start. Answers with the
## player; while the server cannot be reached with the one last known, or an empty dictionary. Registering is then tried
## again by itself. `more` may have image, email, send_updates, country and device_name.
func sign_in(player_name: String, more := {}) -> Dictionary:
	if not _make_device():
		return {"problem": _own_problem("not-stored", "The device cannot keep its token.")}
	var wanted := more.duplicate()
	wanted["name"] = player_name
	_identity["wanted"] = wanted
	_save_identity()
	_stopped = {}
	_go_on.call_deferred()
	return await _signed_in


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
	var is_saved := _save_identity()
	return _rewrite() and is_saved


## The own profile and wallet, or what everybody sees of another player.
func profile(id := "me") -> Dictionary:
	return await _ask("/v1/players/%s" % id, {}, id == "me")


## Changes image, email, send_updates, country or unlisted of the player.
func update(fields: Dictionary) -> Dictionary:
	return await _tell(HTTPClient.METHOD_PATCH, "/v1/players/me", fields)


## Own scores, newest first: limit, after, before.
func scores(page := {}) -> Dictionary:
	return await _ask("/v1/players/me/scores", page, true)


## Own gifts, newest first.
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
## scores or gifts.
func join(code: String, merge := false, device_name := "") -> Dictionary:
	if not _make_device():
		return {"problem": _own_problem("not-stored", "The device cannot keep its token.")}
	var body := {"code": code}
	if merge:
		body["merge"] = true
	if device_name:
		body["device_name"] = device_name
	while _is_busy:
		await get_tree().process_frame
	_is_busy = true
	var path: String = _game + "/devices/" + _identity["device"]
	var answer := await _send(HTTPClient.METHOD_PUT, path, JSON.stringify(body), _identity["token"], "", _has_player)
	_is_busy = false
	if not answer["is_good"]:
		return {"problem": _problem(answer)}
	_take_player(answer)
	_identity.erase("wanted")
	_save_identity()
	_stopped = {}
	_go_on()
	return player()


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
#region What is queued


## Queues a score, and returns its item: it is written, whether or not the server can be reached. `more` may have
## played_at (RFC 3339) and detail.
func post(board_slug: String, points: int, more := {}) -> Dictionary:
	var body := more.duplicate()
	body["points"] = points
	return _add("score", _place(board_slug) + "/scores/", points, body)


## Queues a gift of points that the player has earned. It is never sent before a post that was queued earlier.
func give(charity_slug: String, points: int, is_anonymous := false) -> Dictionary:
	var body := {"points": points}
	if is_anonymous:
		body["anonymous"] = true
	return _add("gift", "/v1/charities/" + charity_slug.uri_encode() + "/donations/", points, body)


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
		return {"problem": _own_problem("queue-full", "10,000 posts and gifts wait already. This one was not stored.")}
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


## The ranking: window, season, limit, after, before, from, players.
func top(board_slug: String, query := {}) -> Dictionary:
	return await _ask(_place(board_slug) + "/top.json", query)


## The rows around a player, by default the own one.
func around(board_slug: String, id := "me", query := {}) -> Dictionary:
	return await _ask("%s/players/%s/around.json" % [_place(board_slug), id], query, id == "me")


## Where a player stands, by default the own one; rank is null without a score.
func rank(board_slug: String, id := "me", query := {}) -> Dictionary:
	return await _ask("%s/players/%s" % [_place(board_slug), id], query, id == "me")


## The rank that a post made now would get.
func rank_of(board_slug: String, points: int) -> Dictionary:
	return await _ask(_place(board_slug) + "/rank", {"points": points})


## Charities by points received.
func charities(query := {}) -> Dictionary:
	return await _ask("/v1/charities.json", query)


## A charity, with its goal and progress.
func charity(charity_slug: String) -> Dictionary:
	return await _ask("/v1/charities/" + charity_slug.uri_encode())


## Who gave most, to one charity or to all.
func contributors(charity_slug := "", query := {}) -> Dictionary:
	var place := "/v1/contributors" if charity_slug.is_empty() else "/v1/charities/" + charity_slug.uri_encode()
	return await _ask(place + "/top.json", query)


func _place(board_slug: String) -> String:
	return _game + "/boards/" + board_slug.uri_encode()


func _ask(path: String, query := {}, is_own := false) -> Dictionary:
	if is_own and player().is_empty():
		return {"problem": _own_problem("signed-out", "Sign in first.")}
	var parts := PackedStringArray()
	for key: String in query:
		parts.append(key + "=" + str(query[key]).uri_encode())
	var target := path if parts.is_empty() else path + "?" + "&".join(parts)
	var token: String = _identity["token"] if is_own else ""
	return _body(await _send(HTTPClient.METHOD_GET, target, "", token))


func _tell(method: HTTPClient.Method, path: String, body: Variant = null) -> Dictionary:
	if player().is_empty():
		return {"problem": _own_problem("signed-out", "Sign in first.")}
	var text := "" if body == null else JSON.stringify(body)
	return _body(await _send(method, path, text, _identity["token"]))


#endregion
#region Sending the queue


func _process(_delta: float) -> void:
	var now := Time.get_ticks_msec()
	if _is_busy or now < _wait_until or (_is_idle and (_wake_at == 0 or now < _wake_at)):
		return
	_is_busy = true
	_is_idle = true
	_wake_at = 0
	if await _step():
		_is_idle = false
	_is_busy = false


# Out of the tree a request ends without a word, and what waits for it would wait for ever.
func _exit_tree() -> void:
	for http: HTTPRequest in _requests.duplicate():
		http.request_completed.emit(
			HTTPRequest.RESULT_REQUEST_FAILED, 0, PackedStringArray(), PackedByteArray()
		)


func _go_on() -> void:
	_wait_until = 0
	_failures = 0
	_is_idle = false


# Sends what is next. Whether there may be more to send, now or after the wait.
func _step() -> bool:
	if not _stopped.is_empty() or not _identity.has("token"):
		return false
	if _identity.has("next_token"):
		return await _rotate()
	if _identity.has("wanted"):
		return await _register()
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


# A post may pass a gift that has to wait. A gift passes nothing but gifts that were set aside.
func _next() -> Dictionary:
	var may_give := true
	for item in _items:
		if item["state"] != "pending":
			continue
		var held: Dictionary = _held.get(item["id"], {})
		var is_parked: bool = held.get("is_parked", false)
		var is_waiting: bool = held.get("until", 0) > Time.get_ticks_msec()
		if not is_parked and not is_waiting and (item["kind"] == "score" or may_give):
			return item
		if not (is_parked and item["kind"] == "gift"):
			may_give = false
	return {}


func _register() -> bool:
	var wanted: Dictionary = _identity["wanted"]
	var path: String = _game + "/devices/" + _identity["device"]
	var answer := await _send(HTTPClient.METHOD_PUT, path, JSON.stringify(wanted), _identity["token"], "", _has_player)
	if _is_transient(answer):
		_signed_in.emit(player())
		return _later(answer)
	_failures = 0
	if _is_final(answer):
		return _stop(answer)
	if _identity.get("wanted") == wanted:
		_identity.erase("wanted")
	if answer["is_good"]:
		_take_player(answer)
		_save_identity()
		_signed_in.emit(player())
		return true
	_save_identity()
	_signed_in.emit({"problem": _problem(answer)})
	sign_in_refused.emit(_problem(answer))
	return true


func _take_player(answer: Dictionary) -> void:
	var found: Dictionary = answer["body"]["player"]
	found["id"] = int(found["id"])
	_identity["player"] = found
	if answer["body"].get("sign_key") is String:
		_identity["sign_key"] = answer["body"]["sign_key"]


# The device has an old and a new token, and an answer may have been lost: whichever is good is asked.
func _rotate() -> bool:
	var path := "/v1/players/me/token"
	var next: String = _identity["next_token"]
	var body := JSON.stringify({"token": next})
	var answer := await _send(HTTPClient.METHOD_PUT, path, body, _identity["token"], "", _has_sign_key)
	if answer["is_ours"] and answer["status"] == 401:
		answer = await _send(HTTPClient.METHOD_PUT, path, body, next, "", _has_sign_key)
	if _is_transient(answer):
		_signed_in.emit(player())
		return _later(answer)
	_failures = 0
	_identity.erase("next_token")
	if answer["is_good"]:
		_identity["token"] = next
		_identity["sign_key"] = answer["body"]["sign_key"]
	_save_identity()
	return _stop(answer) if _is_final(answer) else true


func _deliver(item: Dictionary) -> bool:
	var answer := await _put(item)
	if answer["type"] == "clock-skew" and answer["date"] > 0:
		_clock_offset = answer["date"] - int(Time.get_unix_time_from_system())
		answer = await _put(item)
	if _is_transient(answer):
		return _later(answer, item)
	_failures = 0
	if answer["is_good"]:
		return _settle(item, answer["body"], {})
	if answer["type"] == "id-reused":
		return await _compare(item, answer)
	var again := _again_seconds(answer) if item["kind"] == "gift" else -1.0
	if again >= 0:
		return _hold(item, answer, again)
	if _is_final(answer):
		return _stop(answer)
	return _settle(item, {}, _problem(answer))


func _put(item: Dictionary) -> Dictionary:
	var sign_key: String = _identity.get("sign_key", "")
	var expects := func(body: Dictionary) -> bool: return _is_receipt(body, item) and _has_points_of(body, item)
	return await _send(HTTPClient.METHOD_PUT, item["path"], item["body"], _identity["token"], sign_key, expects)


# The id was used: for this very item, when its receipt has the same points.
func _compare(item: Dictionary, refusal: Dictionary) -> bool:
	var expects := func(body: Dictionary) -> bool: return _is_receipt(body, item)
	var answer := await _send(HTTPClient.METHOD_GET, item["path"], "", _identity["token"], "", expects)
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


# Seconds until the server says that a gift fits again; negative when it says no such thing.
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


# Keeps a gift back; posts may pass it.
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
	_signed_in.emit({"problem": _stopped})
	stopped.emit(_stopped)
	return false


#endregion
#region One request


# {"status", "is_ours", "is_good", "type", "body", "date", "retry_after"}; status 0 when no answer came. It is ours when
# the contract has it for this request, and `expects` tells that of a body. All else, as a hotel's log-in page or what a
# proxy says while the server is mended, counts as no answer; so does a redirection, because a request carries the token.
func _send(
	method: HTTPClient.Method, path: String, body: String, token: String, sign_key := "", expects := Callable()
) -> Dictionary:
	var http := HTTPRequest.new()
	http.timeout = REQUEST_SECONDS_MAX
	http.max_redirects = 0
	add_child(http)
	var headers := PackedStringArray()
	if token:
		headers.append("Authorization: Bearer " + token)
	if body:
		headers.append("Content-Type: application/json")
	if sign_key:
		var time := int(Time.get_unix_time_from_system()) + _clock_offset
		var verb: String = {HTTPClient.METHOD_PUT: "PUT"}[method]
		headers.append("Causeboard-Signature: " + signature(sign_key, verb, path, time, body))
	var said := {
		"status": 0, "is_ours": false, "is_good": false, "type": "", "body": {}, "date": 0, "retry_after": -1.0
	}
	if http.request(_server + path, headers, method, body) == OK:
		_requests.append(http)
		var answer: Array = await http.request_completed
		_requests.erase(http)
		if answer[0] == HTTPRequest.RESULT_SUCCESS:
			_read_answer(said, answer[1], answer[2], answer[3].get_string_from_utf8())
			_judge(said, method, expects)
	http.queue_free()
	return said


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
	var seconds := -1.0
	if after.is_valid_int():
		seconds = maxf(0, after.to_int())
	elif _http_date(after) > 0 and said["date"] > 0:
		seconds = maxf(0, _http_date(after) - said["date"])
	said["retry_after"] = minf(seconds, RETRY_AFTER_SECONDS_MAX)
	said["status"] = status
	var json := JSON.new()
	if str(said.get("kind", "")).ends_with("json") and json.parse(text) == OK and json.data is Dictionary:
		said["body"] = json.data
		said["has_body"] = true


func _judge(said: Dictionary, method: HTTPClient.Method, expects: Callable) -> void:
	var status: int = said["status"]
	var is_ok := status >= 200 and status < 300
	if method == HTTPClient.METHOD_DELETE:
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
	return body.get("player") is Dictionary and _is_number(body["player"].get("id"))


static func _has_sign_key(body: Dictionary) -> bool:
	return body.get("sign_key") is String


static func _is_receipt(body: Dictionary, item: Dictionary) -> bool:
	if not _is_number(body.get("points")):
		return false
	var charity_path := "/v1/charities/" + str(body.get("charity", "")).uri_encode() + "/"
	return item["kind"] == "score" or str(item["path"]).begins_with(charity_path)


# Godot reads numbers of JSON as floats, which are the number itself up to 2^53, and beyond that nearly.
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


# The caller is cut off: asking again does not help.
func _is_final(answer: Dictionary) -> bool:
	return answer["is_ours"] and (answer["status"] == 401 or answer["type"] == "banned" or answer["status"] == 410)


func _body(answer: Dictionary) -> Dictionary:
	return answer["body"] if answer["is_good"] else {"problem": _problem(answer)}


func _problem(answer: Dictionary) -> Dictionary:
	if answer["status"] == 0:
		return _own_problem("unreachable", "The server cannot be reached.")
	if not answer["is_ours"]:
		return _own_problem("unusual", "An answer that is not Causeboard's.", answer["status"])
	return {"type": answer["type"], "status": answer["status"], "detail": answer["body"].get("detail", "")}


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


func _read() -> void:
	DirAccess.make_dir_recursive_absolute(_folder)
	var kept: Variant = JSON.parse_string(_text("/identity.json", "{}"))
	if kept is Dictionary:
		_identity = kept
	if _has_player(_identity):
		_identity["player"]["id"] = int(_identity["player"]["id"])
	var by_id := {}
	var lines := _text("/queue.jsonl", "").split("\n")
	# What has no line feed at its end was cut off by a crash, before it was said to be stored.
	for line in lines.slice(0, -1):
		var json := JSON.new()
		if json.parse(line) != OK or not json.data is Dictionary:
			continue  # a line that the disk has lost
		if json.data.has("put"):
			var item: Dictionary = json.data["put"]
			item["points"] = int(item["points"])
			by_id[item["id"]] = item
		else:
			by_id.erase(json.data.get("end", ""))
	_items.assign(by_id.values())
	_rewrite()


func _text(file_name: String, absent: String) -> String:
	var path := _folder + file_name
	return FileAccess.get_file_as_string(path) if FileAccess.file_exists(path) else absent


# Whether it is written.
func _save_identity() -> bool:
	return _replace(_folder + "/identity.json", JSON.stringify(_identity).to_utf8_buffer())


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
