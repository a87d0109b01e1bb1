// Friends on the page /play: the player's code, somebody else's code, the lists, and the board among friends.
const pollMilliseconds = 30_000;            // friends have no stream
const rowsMax = 5;
const codeKey = "causeboard-friend-code";   // the server tells a code once

const element = (id) => document.getElementById(id);
const texts = element("friends").dataset;

// What can be done about the players of each list, in the order of the lists.
const actionsOf = {
  asked: ["accept", "decline", "block"],
  friends: ["challenge", "remove", "block"],
  asking: ["withdraw"],
  blocked: ["unblock"],
};
// A name keeps its direction to itself.
export const isolated = (name) => `\u2068${name}\u2069`;
const headings = { asked: texts.asked, friends: texts.list, asking: texts.asking, blocked: texts.blocked };

export function made(tag, className, ...content) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...content);
  return made;
}

export class Friends {
  // `game` is what the page's own script knows: its client and board, and how it writes and shows.
  constructor(game) {
    Object.assign(this, game);
    this.people = element("people");
    this.shown = "";
    this.caption = element("place").querySelector("caption");
    this.wholeCaption = this.caption.textContent;
    const day = { dateStyle: "medium", timeZone: "UTC" };
    this.day = new Intl.DateTimeFormat(this.locale, day);
    this.time = new Intl.DateTimeFormat(this.locale, { dateStyle: "medium", timeStyle: "short" });
    element("befriend").addEventListener("submit", (event) => {
      event.preventDefault();
      this.befriend(element("code"));
    });
    element("make-code").addEventListener("click", () => this.makeCode());
    element("circle").addEventListener("change", () => this.choose());
    document.addEventListener("visibilitychange", () => this.poll());
    setInterval(() => this.poll(), pollMilliseconds);
  }

  // Whether the board is the one among friends.
  get isChosen() { return this.player !== undefined && element("circle-friends").checked; }

  know(player) {
    if (!player || player.id === this.player?.id) return;
    this.player = player;
    element("no-friends").hidden = true;
    for (const id of ["with-friends", "circle"]) element(id).hidden = false;
    this.showCode();
    this.refresh();
    this.challenges?.know(player);
    if (this.isChosen) this.choose();
  }

  poll() {
    if (document.hidden || !this.player) return;
    this.showCode();
    this.refresh();
    if (this.isChosen) this.showPlace();
  }

  say(text, isBad = false) { this.sayAt("befriended", text, isBad); }

  // Does what the player asked for. A refusal is said; a mistake in this script is thrown.
  async attempt(ask) {
    if (this.isAsking) return false;
    this.isAsking = true;
    try {
      await ask();
      return true;
    } catch (error) {
      if (typeof error?.type !== "string") throw error;
      this.say(this.isAway(error) ? texts.away : this.sentence(error), true);
      return false;
    } finally {
      this.isAsking = false;
    }
  }

  // MARK: codes

  async makeCode() {
    await this.attempt(async () => {
      const { code, expires_at: until } = await this.client.makeFriendCode();
      keep({ code, until, player: this.player.id });
      this.showCode();
      this.say("");
    });
  }

  showCode() {
    const own = kept();
    const isGood = own?.player === this.player.id && Date.parse(own.until) > Date.now();
    element("own-code").hidden = !isGood;
    if (!isGood) return;
    element("my-code").textContent = own.code;
    element("code-until").textContent = this.fill(texts.until, { time: this.time.format(new Date(own.until)) });
    element("make-code").textContent = texts.makeNew;
  }

  async befriend(field) {
    if (this.isAsking) return;
    const isMade = await this.attempt(async () => {
      const { name } = await this.client.befriend(field.value);
      field.value = "";
      this.say(this.fill(texts.added, { name: isolated(name) }));
    });
    field.setAttribute("aria-invalid", String(!isMade));
    field.focus();
    if (isMade) this.changed();
  }

  // MARK: the lists

  async refresh() {
    try {
      this.show(await this.client.friends());
    } catch (error) {
      if (typeof error?.type !== "string") throw error;   // what is shown stays
    }
  }

  // Nothing is replaced under the focus, but by what the player did there.
  show(lists, isForced = false) {
    const text = JSON.stringify(lists);
    if (text === this.shown || !isForced && this.people.contains(document.activeElement)) return;
    this.shown = text;
    this.people.replaceChildren(...Object.keys(actionsOf)
      .filter((list) => list === "friends" || lists[list].length > 0)
      .map((list) => this.section(list, lists[list])));
  }

  section(list, people) {
    const heading = made("h3", "", this.fill(headings[list], { n: this.integer.format(people.length) }));
    heading.id = `people-${list}`;
    const rows = made("ul", "list pics people", ...people.map((each) => this.person(list, each)));
    rows.setAttribute("aria-labelledby", heading.id);
    return made("section", "", heading, people.length > 0 ? rows : made("p", "soft", texts.none));
  }

  person(list, { player, name, avatar, since }) {
    const picture = made("img", "pic");
    Object.assign(picture, { src: avatar || `/flags/${player}.svg`, alt: "", width: 40, height: 40, loading: "lazy" });
    const link = made("a", "", made("bdi", "", name));
    Object.assign(link, { href: `/players/${player}${this.query}`, id: `${list}-${player}` });
    const who = made("p", "", link);
    if (list === "friends") {
      const day = this.day.format(new Date(since));
      who.append(made("span", "small soft since", this.fill(texts.since, { day })));
    }
    const actions = actionsOf[list].filter((action) => action !== "challenge" || this.challenges);
    const buttons = actions.map((action) => {
      const button = made("button", action === "block" ? "stop" : "", texts[action]);
      Object.assign(button, { type: "button", id: `${action}-${list}-${player}` });
      // The name of the player belongs to the button's own name.
      button.setAttribute("aria-labelledby", `${button.id} ${link.id}`);
      button.addEventListener("click", () => this.act(action, player, name));
      return button;
    });
    return made("li", "", picture, who, made("p", "row", ...buttons));
  }

  async act(action, player, name) {
    const { client } = this;
    const [change, said] = {
      challenge: [() => this.challenges.challenge(player), texts.challenged],
      accept: [() => client.ask(player), texts.added],
      decline: [() => client.unfriend(player), texts.declined],
      remove: [() => client.unfriend(player), texts.removed],
      withdraw: [() => client.unfriend(player), texts.withdrawn],
      block: [() => client.block(player), texts.isBlocked],
      unblock: [() => client.unblock(player), texts.isUnblocked],
    }[action];
    const isDone = await this.attempt(async () => {
      await change();
      this.show(await client.friends(), true);
      this.say(this.fill(said, { name: isolated(name) }));
    });
    if (!isDone) return;
    // The button that had the focus is gone.
    if (document.activeElement === document.body) element("friends-title").focus({ preventScroll: true });
    this.changed();
  }

  changed() {
    this.refresh();
    if (this.isChosen) this.showPlace();
  }

  // MARK: the board

  choose() {
    this.caption.textContent = this.isChosen ? texts.board : this.wholeCaption;
    if (!this.isChosen) this.sayAt("alone", "");
    this.showPlace();
  }

  // The player's own row among friends, and those around it.
  async rows() {
    const { rows } = await this.client.friendsTop(this.board, { limit: 100 });
    const own = rows.findIndex((row) => row.player === this.player.id);
    const first = Math.max(0, Math.min(own - Math.floor(rowsMax / 2), rows.length - rowsMax));
    this.sayAt("alone", rows.length > 1 || !this.isChosen ? "" : texts.alone);
    return rows.slice(first, first + rowsMax).map((row) => ({ ...row, rank: row.among }));
  }
}

// What a browser without storage forgets is made anew.
function kept() {
  try {
    return JSON.parse(localStorage.getItem(codeKey));
  } catch {
    return null;
  }
}

function keep(own) {
  try {
    localStorage.setItem(codeKey, JSON.stringify(own));
  } catch { /* the code is shown until the page is closed */ }
}
