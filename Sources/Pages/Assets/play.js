// The game of the page /play: plates hang on hooks for a moment and drop, whoever touches them in time scores. The
// field is drawn on a canvas; the hooks are buttons inside of it, which keys and screen readers use.
// All that is sent goes through the client for games, as any game would do it.
import { Causeboard, CauseboardError } from "/causeboard.js";

const page = document.getElementById("play");
const texts = page.dataset;
const locale = document.documentElement.dataset.locale;
const query = document.documentElement.dataset.query;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const integer = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
const element = (id) => document.getElementById(id);

const [columns, rows] = [4, 4];
const hooksCount = columns * rows;
const gameMilliseconds = Number(texts.seconds) * 1000;
const frameMillisecondsMax = 100;           // the game stands still while its tab is hidden
const glide = { duration: 420, easing: "cubic-bezier(.2, .7, .2, 1)" };
const fallMilliseconds = 280;
const shineMilliseconds = 320;
const lateMilliseconds = 600;
const streakMax = 10;
const worthUnit = 80;                       // a perfect game brings about 40,000, as the best of a demo database have

// MARK: the game

// What hangs where. Time is passed in, so the model knows no clock.
class Game {
  time = 0;
  score = 0;
  streak = 0;
  hooks = Array.from({ length: hooksCount }, () => null);
  nextAt = 300;

  get isOver() { return this.time >= gameMilliseconds; }
  get progress() { return Math.min(1, this.time / gameMilliseconds); }

  pass(milliseconds) {
    this.time += milliseconds;
    this.hooks.forEach((plate, index) => {
      if (!plate) return;
      if (plate.state === "hangs" && this.time >= plate.until) {
        Object.assign(plate, { state: "falls", until: this.time + fallMilliseconds });
        this.streak = 0;
      } else if (plate.state !== "hangs" && this.time >= plate.until) this.hooks[index] = null;
    });
    if (!this.isOver && this.time >= this.nextAt) this.hang();
  }

  // Plates come faster and hang shorter towards the end, and are worth more after a streak.
  hang() {
    this.nextAt = this.time + 620 - 240 * this.progress;
    const free = this.hooks.flatMap((plate, index) => (plate ? [] : [index]));
    if (free.length === 0) return;
    const index = free[Math.floor(Math.random() * free.length)];
    const worth = worthUnit * (2 + 2 * Math.floor(Math.random() * 3) + Math.min(this.streak, streakMax));
    const hanging = 1700 - 600 * this.progress;
    this.hooks[index] = { state: "hangs", worth, since: this.time, until: this.time + hanging, hanging };
  }

  // Whether there was a plate to take.
  take(index) {
    const plate = this.hooks[index];
    if (this.isOver || plate?.state !== "hangs") return false;
    this.score += plate.worth;
    this.streak += 1;
    Object.assign(plate, { state: "shines", until: this.time + shineMilliseconds });
    return true;
  }
}

// MARK: the field

class Field {
  constructor(canvas, take) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.take = take;
    this.at = 0;
    this.buttons = Array.from({ length: hooksCount }, (_, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = index === 0 ? 0 : -1;
      button.addEventListener("click", () => take(index));
      button.addEventListener("focus", () => { this.at = index; this.draw(); });
      button.addEventListener("blur", () => this.draw());
      return button;
    });
    canvas.append(...this.buttons);
    canvas.addEventListener("keydown", (event) => this.press(event));
    canvas.addEventListener("pointerdown", (event) => {
      const box = canvas.getBoundingClientRect();
      const column = Math.floor((event.clientX - box.left) / box.width * columns);
      const row = Math.floor((event.clientY - box.top) / box.height * rows);
      if (column >= 0 && column < columns && row >= 0 && row < rows) take(row * columns + column);
      event.preventDefault();
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.label();
  }

  press(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    const isSideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (by !== undefined) {
      const to = this.at + by;
      if (to < 0 || to >= hooksCount) return event.preventDefault();
      if (isSideways && Math.floor(to / columns) !== Math.floor(this.at / columns)) return event.preventDefault();
      this.focus(to);
    } else if (event.key === " " || event.key === "Enter") {
      if (!event.repeat) this.take(this.at);
    } else return;
    event.preventDefault();
  }

  focus(index) {
    this.buttons[this.at].tabIndex = -1;
    this.buttons[index].tabIndex = 0;
    this.buttons[index].focus({ preventScroll: true });
  }

  label() {
    this.buttons.forEach((button, index) => {
      const plate = this.game?.hooks[index];
      const n = integer.format(index + 1);
      const label = plate?.state === "hangs"
        ? fill(texts.plate, { n, points: integer.format(plate.worth) }) : fill(texts.hook, { n });
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
      if (plate?.state === "hangs") button.dataset.worth = plate.worth;
      else delete button.dataset.worth;
    });
  }

  draw() {
    const { canvas, pen } = this;
    const scale = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
    if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
    const style = getComputedStyle(canvas);
    this.colour = (name) => style.getPropertyValue(name).trim();
    this.sign = this.colour("--sign");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    const gap = Math.max(6, width * 0.022);
    const size = { w: (width - gap * (columns + 1)) / columns, h: (height - gap * (rows + 1)) / rows };
    for (const plates of [false, true]) {
      for (let index = 0; index < hooksCount; index++) {
        const x = gap + (index % columns) * (size.w + gap);
        const y = gap + Math.floor(index / columns) * (size.h + gap);
        if (plates) this.drawPlate(index, x, y, size);
        else this.drawHook(index, x, y, size);
      }
    }
  }

  drawHook(index, x, y, size) {
    this.shape(x, y, size, this.colour("--hook"), this.colour("--dim"));
    if (document.activeElement === this.buttons[index] && this.buttons[index].matches(":focus-visible")) {
      this.pen.strokeStyle = this.colour("--focus");
      this.pen.lineWidth = 3;
      this.pen.beginPath();
      this.pen.roundRect(x - 3.5, y - 3.5, size.w + 7, size.h + 7, 6);
      this.pen.stroke();
    }
  }

  // One nail comes loose before a plate falls.
  drawPlate(index, x, y, size) {
    const plate = this.game?.hooks[index];
    if (!plate) return;
    const { pen, game } = this;
    const left = (plate.until - game.time) / (plate.state === "hangs" ? plate.hanging : fallMilliseconds);
    const focused = document.activeElement === this.buttons[index] && this.buttons[index].matches(":focus-visible");
    pen.save();
    if (plate.state === "falls" && calm.matches) { pen.restore(); return; }
    if (!calm.matches) {
      const loose = plate.state === "hangs" ? Math.max(0, 1 - left / 0.35) : plate.state === "falls" ? 1 : 0;
      pen.translate(x + size.w * 0.22, y + size.h * 0.13);
      pen.rotate(loose * 0.24);
      if (plate.state === "falls") {
        pen.translate(0, (1 - left) ** 2 * size.h * 1.6);
        pen.globalAlpha = Math.max(0, left);
      }
      pen.translate(-x - size.w * 0.22, -y - size.h * 0.13);
    }
    const isTaken = plate.state === "shines";
    this.shape(x, y, size, isTaken ? this.colour("--gold") : this.colour("--plate"), this.colour("--board"));
    pen.fillStyle = "#10201f";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.direction = "ltr";
    pen.font = `700 ${Math.round(size.h * 0.56)}px ${this.sign}`;
    pen.fillText((isTaken ? "+" : "") + integer.format(plate.worth), x + size.w / 2, y + size.h * 0.58, size.w * 0.9);
    if (focused) {
      pen.strokeStyle = this.colour("--focus");
      pen.lineWidth = 3;
      pen.strokeRect(x + 4, y + 4, size.w - 8, size.h - 8);
    }
    pen.restore();
  }

  shape(x, y, size, metal, hole) {
    const { pen } = this;
    pen.fillStyle = metal;
    pen.beginPath();
    pen.roundRect(x, y, size.w, size.h, 4);
    pen.fill();
    pen.fillStyle = hole;
    for (const part of [0.22, 0.78]) {
      pen.beginPath();
      pen.arc(x + size.w * part, y + size.h * 0.13, Math.max(2, size.w * 0.022), 0, 2 * Math.PI);
      pen.fill();
    }
  }
}

// MARK: playing

const start = element("start");
const toPost = element("to-post");
const postButton = element("post").querySelector("button");
let game = null;
let score = 0;

const field = new Field(element("field"), (index) => {
  if (!game?.take(index)) return;
  showScore(game.score);
  showStreak();
  field.label();
});

function showScore(points) {
  const text = integer.format(points);
  element("score-text").textContent = text;
  element("score").querySelector(".plates").replaceChildren(...[...text].map((sign) => {
    const plate = document.createElement(/\p{Nd}/u.test(sign) ? "b" : "i");
    plate.textContent = sign;
    return plate;
  }));
}

function showStreak() {
  const text = game.streak > 1 && !game.isOver ? fill(texts.streak, { n: integer.format(game.streak) }) : "";
  if (element("streak").textContent !== text) element("streak").textContent = text;
}

// What covers the field before and after a game.
function cover(isShown) {
  element("cover").hidden = !isShown;
  // A tap that was meant for the last plate presses no button.
  element("cover").classList.add("late");
  setTimeout(() => element("cover").classList.remove("late"), lateMilliseconds);
  for (const id of ["result", "place-foretold"]) element(id).hidden = true;
  toPost.hidden = true;
}

function tell(id, text) {
  element(id).textContent = text;
  element(id).hidden = false;
}

function showTime(milliseconds) {
  element("clock").setAttribute("width", (milliseconds * 100 / gameMilliseconds).toFixed(1));
  const text = fill(texts.time, { n: integer.format(Math.ceil(milliseconds / 1000)) });
  if (element("time").textContent !== text) element("time").textContent = text;
}

function play(isByKeys) {
  game = field.game = new Game();
  start.disabled = true;
  postButton.disabled = true;
  element("called").textContent = "";
  say("posted", "");
  showScore(0);
  cover(false);
  if (isByKeys) field.focus(5);
  document.querySelector(".field").scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
  let before = performance.now();
  requestAnimationFrame(function step(now) {
    game.pass(Math.min(Math.max(now - before, 0), frameMillisecondsMax));
    before = now;
    field.label();
    field.draw();
    showStreak();
    showTime(Math.max(0, gameMilliseconds - game.time));
    if (!game.isOver) requestAnimationFrame(step);
    else end(isByKeys);
  });
}

function end(isByKeys) {
  score = game.score;
  game.hooks.fill(null);
  field.label();
  field.draw();
  start.disabled = false;
  start.textContent = texts.again;
  element("called").textContent = fill(texts.over, { n: integer.format(score) });
  cover(true);
  tell("result", integer.format(score));
  if (score > 0) tell("to-post", fill(texts.post, { n: integer.format(score) }));
  postButton.disabled = score === 0;
  if (score > 0) postButton.textContent = fill(texts.post, { n: integer.format(score) });
  if (isByKeys) (score > 0 ? element("name") : start).focus();
  if (score > 0) foretell(score);
}

start.addEventListener("click", (event) => play(event.detail === 0));
// Who has a name here posts at once; anybody else is asked for one.
toPost.addEventListener("click", () => {
  if (element("name").value.trim()) element("post").requestSubmit();
  else element("name").focus();
});
start.disabled = false;

// MARK: posting and giving

const client = await Causeboard.open({ server: location.origin, game: texts.game });
let player = await client.player();
let left = 0;
let donating = 0;             // what was donated and has no answer yet
let friends = null;           // where the game has them

function say(id, text, isBad = false) {
  const place = element(id);
  place.classList.toggle("err", isBad);
  place.classList.toggle("soft", !isBad);
  place.textContent = text;
}

// What is said of a refusal, in the page's language; the server's own sentence where there is none.
const busy = ["overloaded", "database-away", "full", "unreachable"];
function sentence(problem) {
  const name = busy.includes(problem.type) ? "busy" : problem.type === "field" ? `field-${problem.field}` : problem.type;
  return texts["says" + name.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase())] ?? problem.message;
}

async function foretell(points) {
  try {
    const { rank, of } = await client.rankOf(texts.board, points);
    if (points === score && !postButton.disabled) {
      const text = fill(texts.rank, { rank: integer.format(rank), size: integer.format(of + (player ? 0 : 1)) });
      say("posted", text);
      tell("place-foretold", text);
    }
  } catch { /* without a server nothing can be foretold */ }
}

function showLeft() {
  const free = Math.max(0, left - donating);
  element("donate").querySelector("button").disabled = free === 0;
  if (player) element("left").textContent = fill(texts.left, { n: integer.format(free) });
  if (document.activeElement !== element("points")) element("points").value = free ? integer.format(free) : "";
}

async function readLeft() {
  try {
    ({ left } = await client.profile());
    showLeft();
  } catch { /* the next answer says it */ }
}

client.watch(({ item, receipt, signIn, stopped }) => {
  if (signIn) refuseName(signIn);
  if (stopped) say("posted", fill(texts.stopped, { detail: sentence(stopped) }), true);
  if (!item) return;
  const place = item.kind === "score" ? "posted" : "donated";
  if (item.kind === "donation" && item.state !== "pending") donating = Math.max(0, donating - item.points);
  if (item.state === "pending") say(place, item.problem ? sentence(item.problem) : texts.waiting);
  if (item.state === "refused") {
    say(place, fill(texts.refused, { detail: sentence(item.problem) }), true);
    client.dismiss(item.id);
    readLeft();
  }
  if (item.state !== "sent") return showLeft();
  if (receipt?.left !== undefined) ({ left } = receipt);
  if (item.kind === "donation") {
    const name = element("donate").querySelector(`[value="${CSS.escape(receipt?.charity ?? "")}"] + span bdi`);
    say(place, fill(texts.donated, { n: integer.format(item.points), charity: name?.textContent ?? receipt?.charity }));
  } else if (receipt?.rank) {
    const text = fill(texts.posted, { rank: integer.format(receipt.rank), size: integer.format(receipt.of) });
    say(place, text);
    if (!element("cover").hidden) tell("place-foretold", text);
    toPost.hidden = true;
  } else say(place, "");
  client.player().then((known) => {
    player = known;
    friends?.know(player);
    friends?.challenges?.poll();
    showLeft();
    showPlace();
  });
});

function refuseName(problem) {
  element("name").setAttribute("aria-invalid", "true");
  postButton.disabled = score === 0;
  say("posted", sentence(problem), true);
  element("name").focus();
}

element("post").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (postButton.disabled) return;
  postButton.disabled = true;
  const name = element("name").value.trim();
  const points = score;
  element("name").removeAttribute("aria-invalid");
  try {
    // Without a server nobody is signed in yet; the client does that first when there is one again.
    if (player?.name !== name) player = await client.signIn(name) ?? player;
    await client.post(texts.board, points);
    postButton.textContent = fill(texts.post, { n: integer.format(points) });
  } catch (error) {
    if (!(error instanceof CauseboardError)) throw error;
    refuseName(error);
  }
});

// A number as people write it here: with separators between groups of three, in any script's decimal digits.
function read(text) {
  const plain = text.normalize("NFKC").trim().replace(/\p{Nd}/gu, digit);
  const isGrouped = /^\d{1,3}(?:([.,\u066c\u2019' ])(?:\d{2,3}\1)*\d{3})?$/.test(plain);
  return isGrouped || /^\d+$/.test(plain) ? Number(plain.replace(/\D/g, "")) : NaN;
}

// The digits of a script stand in a row, and the first of them is where such a row of ten begins.
function digit(sign) {
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(sign.codePointAt(0) - value - 1))) value += 1;
  return String(value);
}

element("donate").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = element("points");
  const free = left - donating;
  const points = read(field.value);
  const isGood = Number.isSafeInteger(points) && points >= 1 && points <= free;
  field.setAttribute("aria-invalid", String(!isGood));
  if (!isGood) {
    say("donated", fill(texts.tooMany, { n: integer.format(free) }), true);
    field.focus();
    return;
  }
  donating += points;
  field.blur();
  try {
    await client.donate(new FormData(event.target).get("charity"), points);
  } catch (error) {
    donating -= points;
    if (!(error instanceof CauseboardError)) throw error;
    say("donated", sentence(error), true);
  }
  showLeft();
});

// MARK: the board

const body = element("place").querySelector("tbody");
let isReading = false;
let isStale = false;
let leaders;

function cell(tag, className, ...content) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...content);
  return made;
}

function boardRow(values) {
  const number = integer.format(values.rank);
  const rank = values.rank <= 3 ? cell("span", `medal m${values.rank}`, number) : number;
  const picture = cell("img", "pic");
  Object.assign(picture, { src: values.avatar || `/flags/${values.player}.svg`, alt: "", width: 40, height: 40 });
  const name = cell("a", "", cell("bdi", "", values.name));
  name.href = `/players/${values.player}${query}`;
  const who = cell("th", "who", picture, name);
  who.scope = "row";
  who.setAttribute("role", "rowheader");
  const made = cell("tr", values.player === player?.id ? "is-me" : "",
    cell("td", "rk num", rank), who, cell("td", "n pts", integer.format(values.points)));
  made.setAttribute("role", "row");
  made.dataset.player = values.player;
  for (const each of made.querySelectorAll("td")) each.setAttribute("role", "cell");
  return made;
}

// Rows move from where they were; a row that was not there comes from below.
function showRows(values) {
  const before = new Map([...body.rows].map((row) => [row.dataset.player, row.getBoundingClientRect().top]));
  const bottom = body.getBoundingClientRect().bottom;
  const isHeld = body.contains(document.activeElement);
  if (isHeld) return;
  body.replaceChildren(...values.filter((row) => row.player !== undefined).map(boardRow));
  if (calm.matches) return;
  for (const row of body.rows) {
    const by = (before.get(row.dataset.player) ?? bottom) - row.getBoundingClientRect().top;
    if (by !== 0) row.animate([{ transform: `translateY(${by}px)` }, {}], glide);
  }
}

// The board among friends, or the player's own neighbours once there is a score, else the leaders.
async function rowsToShow() {
  if (friends?.isChosen) return friends.rows();
  const own = player ? (await client.around(texts.board, { limit: 5 })).rows : [];
  return own.length ? own : leaders;
}

async function showPlace() {
  if (isReading) { isStale = true; return; }
  isReading = true;
  try {
    const shown = await rowsToShow();
    if (shown) showRows(shown.slice(0, 5));
  } catch { /* what is shown stays */ }
  setTimeout(() => {
    isReading = false;
    if (isStale) showPlace();
    isStale = false;
  }, 500);
}

element("name").value = player?.name ?? "";
if (player) readLeft();
for (const item of await client.pending()) {
  say(item.kind === "score" ? "posted" : "donated", texts.waiting);
  if (item.kind === "donation") donating += item.points;
}
client.follow(texts.board, (ranking) => {
  leaders = ranking.rows;
  showPlace();
}, { limit: 5 });

// MARK: friends

if (element("friends")) {
  const { Friends, made, isolated } = await import(element("friends").dataset.script);
  const isAway = (problem) => busy.includes(problem.type);
  const game = { client, board: texts.board, locale, query, integer, fill, sentence, isAway, sayAt: say, showPlace };
  let challenges = null;            // where the game has them
  if (element("challenges")) {
    const { Challenges } = await import(element("challenges").dataset.script);
    challenges = new Challenges({ ...game, made, isolated });
  }
  friends = new Friends({ ...game, challenges });
  friends.know(player);
}
