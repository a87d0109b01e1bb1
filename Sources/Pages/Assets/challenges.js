// Challenges on the page /play: a friend is challenged for today and tomorrow, and the page shows who leads or has won.
const pollMilliseconds = 30_000;
const days = 1;
const shownMax = 5;

const element = (id) => document.getElementById(id);
const section = element("challenges");
const texts = section.dataset;

export class Challenges {
  // `game` is what the page's own script knows: its client and board, and how it writes and shows.
  constructor(game) {
    Object.assign(this, game);
    this.shown = "";
    this.time = new Intl.DateTimeFormat(this.locale, { dateStyle: "medium", timeStyle: "short" });
    this.names = new Intl.ListFormat(this.locale, { type: "conjunction" });
    document.addEventListener("visibilitychange", () => this.poll());
    setInterval(() => this.poll(), pollMilliseconds);
  }

  know(player) {
    this.player = player;
    section.hidden = false;
    this.refresh();
  }

  poll() {
    if (!document.hidden && this.player) this.refresh();
  }

  async challenge(player) {
    await this.client.challenge(this.board, [player], { days });
    await this.refresh(true);
  }

  async refresh(isForced = false) {
    try {
      const { rows } = await this.client.challenges({ limit: shownMax });
      const own = rows.filter(({ board, answer }) =>
        board === this.board && (answer === "invited" || answer === "entered"));
      this.show(await Promise.all(own.map((challenge) => this.client.standings(challenge))), isForced);
    } catch (error) {
      if (typeof error?.type !== "string") throw error;   // what is shown stays
    }
  }

  // Nothing is replaced under the focus, but by what the player did there.
  show(challenges, isForced) {
    const text = JSON.stringify(challenges);
    const list = element("contests");
    if (text === this.shown || !isForced && list.contains(document.activeElement)) return;
    this.shown = text;
    list.replaceChildren(...challenges.map((challenge) => this.item(challenge)));
    element("no-challenges").hidden = challenges.length > 0;
  }

  item(challenge) {
    const { made } = this;
    const people = made("p", "num", ...challenge.entrants.flatMap((entrant, index) =>
      [...(index > 0 ? [" · "] : []), ...this.entrant(entrant)]));
    people.id = `contest-${challenge.id}`;
    const about = made("div", "", people, made("p", "small soft", this.sentenceOf(challenge)));
    const buttons = this.actions(challenge).map((action) => {
      const button = made("button", "", texts[action]);
      button.type = "button";
      button.setAttribute("aria-describedby", people.id);
      button.addEventListener("click", () => this.act(action, challenge));
      return button;
    });
    return made("li", "", about, made("p", "row", ...buttons));
  }

  // What is shown of a player: its rank and points, or what it has answered.
  entrant({ name, state, rank, points }) {
    const shown = this.made("bdi", "", name);
    if (state !== "entered") return [shown, ` (${texts[state]})`];
    if (rank === undefined) return [shown];
    return [`${this.integer.format(rank)}. `, shown, ` ${this.integer.format(points)}`];
  }

  sentenceOf({ state, from, until, entrants }) {
    if (state === "open") {
      const [first, time] = [from, until].map((moment) => this.time.format(new Date(moment)));
      return this.fill(texts.until, { from: first, time });
    }
    if (state !== "settled") return texts[state];
    const winners = entrants.filter(({ rank }) => rank === 1).map(({ name }) => this.isolated(name));
    return winners.length ? this.fill(texts.won, { names: this.names.format(winners) }) : texts.nobody;
  }

  actions({ state, answer }) {
    if (state !== "open") return [];
    return answer === "invited" ? ["enter", "decline"] : ["leave"];
  }

  async act(action, challenge) {
    const { client } = this;
    const charity = challenge.stake > 0 ? document.querySelector("#donate [name=charity]:checked")?.value : undefined;
    const [change, said] = {
      enter: [() => client.enter(challenge, { charity }), texts.isEntered],
      decline: [() => client.decline(challenge), texts.isDeclined],
      leave: [() => client.decline(challenge), texts.isLeft],
    }[action];
    try {
      await change();
      await this.refresh(true);
      this.sayAt("challenged", said);
    } catch (error) {
      if (typeof error?.type !== "string") throw error;
      this.sayAt("challenged", this.isAway(error) ? element("friends").dataset.away : this.sentence(error), true);
    }
    // The button that had the focus is gone.
    if (document.activeElement === document.body) element("challenges-title").focus({ preventScroll: true });
  }
}
