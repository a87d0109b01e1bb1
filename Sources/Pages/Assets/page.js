// What pages do besides being read: rankings and totals that follow their event streams, and buttons that copy.
// Everything is there without it. Texts, formats and addresses come from data attributes, so no language is in here.
"use strict";
(() => {
  const root = document.documentElement;
  const locale = root.dataset.locale;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const glide = { duration: 420, easing: "cubic-bezier(.2, .7, .2, 1)" };
  const glidingMax = 20;
  const pollMilliseconds = 15000;
  const retryMilliseconds = 5000;
  const spokenMilliseconds = 10000;
  const movedMilliseconds = 2000;
  const freshMilliseconds = 5000;
  const spreadMilliseconds = 1000;

  // MARK: numbers and dates, as the server writes them

  const integer = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const plain = new Intl.NumberFormat(locale, { useGrouping: false });
  const minus = (root.dataset.minus || "\u2212");
  const digits = (number, count) => [...String(number).padStart(count, "0")].map((d) => plain.format(+d)).join("");
  const number = (value) => (value < 0 ? minus : "") + integer.format(Math.abs(value));
  const decimal = (1.5).toLocaleString(locale).replace(/\p{Nd}/gu, "");

  function clock(seconds) {
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const rest = digits(seconds % 60, 2);
    return hours > 0 ? `${integer.format(hours)}:${digits(minutes, 2)}:${rest}` : `${digits(minutes, 1)}:${rest}`;
  }

  function points(value, form, unit) {
    const size = Math.abs(value);
    let text = integer.format(size);
    if (form === "seconds") text = clock(size);
    if (form === "milliseconds") text = clock(Math.floor(size / 1000)) + decimal + digits(size % 1000, 3);
    text = (value < 0 ? minus : "") + text;
    return unit ? text + (roomOf(text + unit) > 22 ? " " : "\u00a0") + unit : text;
  }

  // How many characters wide a text is, and the class of the style sheet for the longest of some.
  const roomOf = (text) => [...text].reduce((room, sign) => room + (sign.codePointAt(0) >= 0x2e80 ? 2 : 1), 0);
  const widths = [[7, ""], [10, "d10"], [14, "d14"], [18, "d18"], [22, "d22"], [Infinity, "d40"]];

  function setWidth(element, texts) {
    const longest = Math.max(0, ...texts.map(roomOf));
    element.classList.remove(...widths.map(([, name]) => name).filter(Boolean));
    const name = widths.find(([most]) => longest <= most)[1];
    if (name) element.classList.add(name);
  }

  // As the server writes it, of tenths of a percent.
  const percent = (tenths) => fill(root.dataset.percent, {
    n: integer.format(Math.floor(tenths / 10)) + decimal + plain.format(tenths % 10),
  });

  const fill = (text, values) => (text || "").replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

  function day(instant) {
    return fill(root.dataset.date, {
      d: plain.format(instant.getUTCDate()),
      m: plain.format(instant.getUTCMonth() + 1),
      mon: root.dataset.months.split("|")[instant.getUTCMonth()],
      y: plain.format(instant.getUTCFullYear()),
    });
  }

  const time = (instant) =>
    fill(root.dataset.time, { h: digits(instant.getUTCHours(), 2), m: digits(instant.getUTCMinutes(), 2) });

  // MARK: streams

  // Calls `handlers[event](data)` for what a stream says, and asks for `fallback` now and then where there is none.
  function follow(url, fallback, handlers) {
    let source = null;
    let poll = 0;
    let etag = null;

    function open() {
      close();
      source = new EventSource(url);
      for (const [name, handle] of Object.entries(handlers)) {
        source.addEventListener(name, (event) => handle(JSON.parse(event.data)));
      }
      source.addEventListener("error", () => {
        // The browser tries again by itself unless the stream was refused, as it is when there are too many.
        if (source && source.readyState === EventSource.CLOSED) {
          close();
          poll = setTimeout(ask, retryMilliseconds);
        }
      });
    }

    async function ask() {
      try {
        const answer = await fetch(fallback, { headers: etag ? { "If-None-Match": etag } : {} });
        if (answer.ok) {
          etag = answer.headers.get("ETag");
          const data = await answer.json();
          handlers[Object.keys(handlers)[0]](data);
          if (data.final) return;
        }
      } catch { /* the next time may do */ }
      poll = setTimeout(ask, pollMilliseconds);
    }

    function close() {
      if (source) source.close();
      source = null;
      clearTimeout(poll);
    }

    let isWanted = true;
    const change = () => (isWanted && !document.hidden ? open() : close());
    document.addEventListener("visibilitychange", change);
    addEventListener("pagehide", close);
    addEventListener("pageshow", (event) => event.persisted && change());
    change();
    return { set wanted(value) { isWanted = value; change(); } };
  }

  // MARK: what the server writes

  // Where an event changes more than it tells, the parts of the page with those numbers come from a fresh copy of it.
  // Those who watch one page do not all ask at once, and each asks now and then only.
  let freshAt = -Infinity;
  let freshTimer = 0;

  function refresh() {
    if (freshTimer || !document.querySelector("[data-fresh]")) return;
    const wait = Math.max(0, freshAt + freshMilliseconds - performance.now()) + Math.random() * spreadMilliseconds;
    freshTimer = setTimeout(async () => {
      freshTimer = 0;
      freshAt = performance.now();
      try {
        const answer = await fetch(location.href, { cache: "no-cache" });
        if (answer.ok) replaceParts(new DOMParser().parseFromString(await answer.text(), "text/html"));
      } catch { /* the next event may do */ }
    }, wait);
  }

  function replaceParts(copy) {
    document.title = copy.title;
    for (const part of document.querySelectorAll("[data-fresh]")) {
      const fresh = copy.querySelector(`[data-fresh="${CSS.escape(part.dataset.fresh)}"]`);
      // A table that follows its stream is newer than any copy.
      const isLive = part.dataset.fresh === "top" && part.querySelector("table");
      if (!fresh || isLive || part.contains(document.activeElement) || part.isEqualNode(fresh)) continue;
      const wasOpen = [...part.querySelectorAll("details")].map((details) => details.open);
      fresh.querySelectorAll("details").forEach((details, index) => { details.open = wasOpen[index] ?? false; });
      part.replaceWith(document.adoptNode(fresh));
    }
  }

  // MARK: rows

  // Counts a cell up or down to its new points.
  function count(cell, from, to, write) {
    // The server wrote it exactly, and a number beyond 2^53 is not exact here.
    if (from === to && !Number.isSafeInteger(to)) return;
    if (calm.matches || from === to || !Number.isFinite(from)) { cell.textContent = write(to); return; }
    const start = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - start) / 400);
      cell.textContent = write(part < 1 ? Math.round(from + (to - from) * part) : to);
      if (part < 1 && cell.isConnected) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  // Puts `rows` in the order of `keyed`, each moving from where it was.
  function arrange(body, rows, moved) {
    const before = new Map([...body.children].map((row) => [row, row.getBoundingClientRect().top]));
    body.replaceChildren(...rows);
    if (calm.matches) return;
    let gliding = 0;
    for (const row of rows) {
      const top = before.get(row);
      const by = top === undefined ? 0 : top - row.getBoundingClientRect().top;
      if (by !== 0 && gliding++ < glidingMax) row.animate([{ transform: `translateY(${by}px)` }, {}], glide);
    }
    for (const row of moved) {
      row.classList.add("is-moved");
      setTimeout(() => {
        row.classList.remove("is-moved");
        row.querySelector(".up, .down")?.remove();
      }, movedMilliseconds);
    }
  }

  function writeRank(cell, rank, isShared, shared) {
    cell.replaceChildren();
    const text = integer.format(rank);
    if (rank <= 3) {
      const medal = document.createElement("span");
      medal.className = `medal m${rank}`;
      medal.textContent = text;
      cell.append(medal);
    } else cell.append(text);
    if (isShared) {
      const hidden = document.createElement("span");
      hidden.className = "vh";
      hidden.textContent = " " + shared;
      cell.append(hidden);
    }
  }

  // Codes of ISO 3166 in the words of the page's language. Browsers know countries; a region keeps its code.
  const countries = Intl.DisplayNames && new Intl.DisplayNames(locale, { type: "region" });

  function countryName(code) {
    const name = countries?.of(code.slice(0, 2)) ?? code;
    return code.length > 2 && name !== code ? `${name} (${code})` : name;
  }

  function writeCountry(cell, code) {
    const old = cell.querySelector(".country");
    if (!code) { old?.remove(); return; }
    const mark = old ?? document.createElement("abbr");
    mark.className = "country";
    [mark.textContent, mark.title] = [code, countryName(code)];
    if (!old) cell.querySelector("img").after(mark);
  }

  function writeName(row, data, settings) {
    const cell = row.querySelector(".who");
    cell.querySelector("img").src = data.player === undefined
      ? settings.anonymousPicture : data.avatar || `/flags/${data.player}.svg`;
    writeCountry(cell, data.flag);
    const old = cell.querySelector("a, .name");
    if (data.player === undefined) {
      const text = data.name === "Anonymous" ? settings.anonymous : settings.former;
      if (old.tagName === "SPAN" && old.textContent === text) return;
      const name = document.createElement("span");
      name.className = "name soft";
      name.textContent = text;
      old.replaceWith(name);
      return;
    }
    let link = old;
    if (old.tagName !== "A") {
      link = document.createElement("a");
      link.append(document.createElement("bdi"));
      if (settings.outside !== undefined) [link.target, link.rel] = ["_blank", "noopener"];
      old.replaceWith(link);
    }
    link.href = `/players/${data.player}${root.dataset.query}`;
    const name = link.querySelector("bdi");
    if (name.textContent !== data.name) name.textContent = data.name;
  }

  // A table of players that follows a board.
  class Ranking {
    constructor(table, settings) {
      this.body = table.tBodies[0];
      this.caption = table.caption;
      this.settings = settings;
      this.model = this.body.rows[0]?.cloneNode(true);
      this.time = this.body.querySelector(".sub time .wide")?.cloneNode(true);
      this.values = new Map();
      this.waiting = null;
      this.spoken = -Infinity;
      this.of = Number(settings.of);
      for (const event of ["focusout", "mouseleave"]) {
        this.body.addEventListener(event, () => setTimeout(() => this.catchUp(), 50));
      }
    }

    // Nothing moves under the pointer or the focus.
    get isHeld() { return this.body.matches(":hover") || this.body.contains(document.activeElement); }

    catchUp() {
      if (this.waiting && !this.isHeld) this.show(this.waiting);
    }

    write(value) { return points(value, this.settings.form, this.settings.unit); }

    show(data) {
      if (data.of !== undefined && data.of !== this.of && this.settings.of !== undefined) {
        this.of = data.of;
        refresh();
      }
      if (!this.model) { if (data.rows.length) location.reload(); return; }
      const keys = [...this.body.rows].map((row) => row.dataset.key || row.id);
      const next = data.rows.map((row, index) => (row.player === undefined ? `anonymous-${index}` : `p${row.player}`));
      if (this.isHeld && keys.join() !== next.join()) { this.waiting = data; return; }
      this.waiting = null;
      const known = new Map([...this.body.rows].map((row) => [row.dataset.key || row.id, row]));
      const places = new Map(keys.map((key, index) => [key, index]));
      const moved = [];
      setWidth(this.body.parentElement, data.rows.flatMap((values, index) =>
        [this.write(values.points), this.settings.mini === undefined ? this.toNext(data, index) : ""]));
      const rows = data.rows.map((values, index) => {
        const row = known.get(next[index]) || this.newRow(next[index]);
        this.fill(row, values, data, index);
        const place = places.get(next[index]);
        if (place !== undefined && place !== index && this.values.has(next[index])) {
          const change = this.values.get(next[index]).rank - values.rank;
          if (change !== 0) { this.mark(row, change); moved.push(row); }
        }
        return row;
      });
      this.speak(data.rows[0]);
      this.values = new Map(data.rows.map((values, index) => [next[index], values]));
      arrange(this.body, rows, moved);
    }

    newRow(key) {
      const row = this.model.cloneNode(true);
      row.dataset.key = key;
      row.id = key;
      row.querySelector(".you, .up, .down")?.remove();
      return row;
    }

    fill(row, values, data, index) {
      const former = this.values.get(row.dataset.key || row.id);
      row.classList.toggle("lead", values.rank <= 3 && this.settings.mini === undefined);
      row.classList.remove("is-me", "is-moved");
      writeRank(row.querySelector(".rk"), values.rank, values.tied && data.ties === "shared", this.settings.shared);
      writeName(row, values, this.settings);
      count(row.querySelector(".pts"), former?.points ?? values.points, values.points, (value) => this.write(value));
      const best = data.rows[0].points;
      const share = values.points > 0 && best > 0 && this.settings.lowest === undefined ? values.points / best : 0;
      row.querySelector(".run rect")?.setAttribute("width", (Math.floor(share * 1000) / 10).toFixed(1));
      const toNext = row.querySelector(".x2");
      if (toNext) toNext.textContent = this.toNext(data, index);
      const reached = row.querySelector(".sub time");
      // An anonymous row tells its day alone.
      const moment = values.player === undefined
        ? values.reached_at.slice(0, 10) : values.reached_at.replace(/\.\d+Z$/, "Z");
      if (reached && reached.dateTime !== moment) this.date(reached, moment);
    }

    toNext(data, index) {
      const rows = data.rows;
      if (index === 0 || rows[index].rank === 1) return "";
      if (data.ties !== "shared") {
        const step = this.settings.lowest === undefined ? 1 : -1;
        return this.write(Math.abs(rows[index - 1].points - rows[index].points + step));
      }
      for (let above = index - 1; above >= 0; above--) {
        if (rows[above].points !== rows[index].points) return this.write(Math.abs(rows[above].points - rows[index].points));
      }
      return "";
    }

    date(element, moment) {
      const instant = new Date(moment);
      element.dateTime = moment;
      const wide = moment.includes("T") && this.time?.cloneNode(true);
      if (wide) wide.querySelector("bdi").textContent = time(instant);
      element.replaceChildren(day(instant), ...(wide ? [wide] : []));
    }

    mark(row, change) {
      const arrow = document.createElement("span");
      arrow.className = change > 0 ? "up" : "down";
      arrow.textContent = integer.format(Math.abs(change));
      row.querySelector(".up, .down")?.remove();
      if (this.settings.mini === undefined) row.querySelector(".rk").append(arrow);
    }

    // Says who leads when that has changed, every ten seconds at most.
    speak(first) {
      const region = document.getElementById("said");
      const former = [...this.values.values()][0];
      if (!region || !former || !first || former.player === first.player) return;
      if (performance.now() - this.spoken < spokenMilliseconds) return;
      this.spoken = performance.now();
      region.textContent = fill(this.settings.leader, { name: first.name });
    }
  }

  // MARK: totals

  function writePlates(plates, text) {
    setWidth(plates, [text]);
    const signs = [...text];
    const old = [...plates.children];
    plates.replaceChildren(...signs.map((sign, index) => {
      const tag = /\p{Nd}/u.test(sign) ? "B" : "I";
      const before = old[old.length - signs.length + index];
      if (before && before.tagName === tag && before.textContent === sign) {
        before.classList.remove("flip");
        return before;
      }
      const plate = document.createElement(tag);
      plate.textContent = sign;
      if (tag === "B") plate.className = "flip";
      return plate;
    }));
  }

  function writeBar(bar, tenths) {
    const [rect, over] = bar.querySelectorAll("rect");
    if (tenths <= 1000 && !over) rect.setAttribute("width", (Math.max(0, tenths) / 10).toFixed(1));
    // A goal that is passed just now changes the form of the bar.
    else if (tenths > 1000 !== Boolean(over)) location.reload();
  }

  // MARK: what is on this page

  for (const mark of document.querySelectorAll("abbr")) mark.title = countryName(mark.textContent);
  for (const place of document.querySelectorAll("bdi[data-country]")) {
    place.textContent = countryName(place.dataset.country);
  }

  const textsOf = (element) => ({ ...document.querySelector("main").dataset, ...element.dataset });

  function followRanking(element, table, settings) {
    const ranking = new Ranking(table, settings);
    const url = settings.live ?? settings.liveMini;
    const stream = follow(url, url.replace(/\/live(?=\?|$)/, "/top.json"), {
      // The stream sends more rows than an embed shows.
      top: (data) => ranking.show({ ...data, rows: data.rows.slice(0, Number(settings.limit)) }),
    });
    const button = document.querySelector("button.live");
    if (!button) return;
    button.hidden = false;
    button.addEventListener("click", () => {
      const isOn = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(isOn));
      stream.wanted = isOn;
    });
  }

  for (const table of document.querySelectorAll("table[data-live]")) followRanking(table, table, textsOf(table));
  for (const frame of document.querySelectorAll("[data-live-mini]")) {
    const settings = { ...textsOf(frame), mini: "", outside: "" };
    followRanking(frame, frame.querySelector("table"), settings);
  }
  for (const empty of document.querySelectorAll("[data-live-empty]")) {
    const url = empty.dataset.liveEmpty;
    follow(url, url.replace(/\/live(?=\?|$)/, "/top.json"), { top: (data) => { if (data.rows.length) location.reload(); } });
  }

  for (const said of document.querySelectorAll("[data-live-total]")) {
    const url = said.dataset.liveTotal;
    const settings = { ...textsOf(said), form: "number", mini: "" };
    let ranking = null;
    const known = { points: Number(said.dataset.points), contributors: Number(said.dataset.contributors) };
    const writeFact = (name, text) => {
      const fact = document.querySelector(`[data-fact=${name}]`);
      if (fact) fact.firstChild.textContent = text;
    };
    follow(url, url.replace(/\/live$/, ""), {
      [said.dataset.event]: (data) => {
        // Coming, open and over campaigns have different texts.
        if (said.dataset.state && data.state !== said.dataset.state) {
          // Every open page gets this event at once, so they reload at random times.
          said.dataset.state = "";
          setTimeout(() => location.reload(), 5000 * Math.random());
          return;
        }
        if (data.points === known.points && data.contributors === known.contributors) return;
        Object.assign(known, { points: data.points, contributors: data.contributors });
        refresh();
        writeFact("contributors", number(data.contributors));
        if (data.progress !== undefined) writeFact("progress", percent(Math.round(data.progress * 10)));
        writePlates(said.querySelector(".plates"), number(data.points));
        said.querySelector("[data-total]").textContent = fill(said.dataset.donated, { n: number(data.points) });
        const toGo = said.querySelector("[data-to-go]");
        if (toGo && data.goal !== undefined) {
          const rest = data.goal - data.points;
          toGo.textContent = rest > 0 ? fill(said.dataset.rest, { n: number(rest) }) : said.dataset.reached;
        }
        if (data.progress !== undefined) {
          const bar = document.querySelector(".bar.big");
          if (bar) writeBar(bar, Math.round(data.progress * 10));
        }
      },
      top: (data) => {
        // The first donation brings the table.
        const table = document.querySelector("table.mini");
        if (table) ranking ??= new Ranking(table, settings);
        ranking?.show({ ...data, rows: data.rows.slice(0, 10) });
      },
    });
  }

  for (const table of document.querySelectorAll("table[data-live-charities]")) {
    const body = table.tBodies[0];
    const former = new Map();
    let all = "";
    follow(table.dataset.liveCharities, "/v1/charities.json", {
      top: (data) => {
        const moved = [];
        // Once for all rows: what stands beside the points is the server's sentence.
        const now = data.rows.map((values) => `${values.slug} ${values.points} ${values.contributors}`).join();
        const shown = [...body.rows].map((row) => row.dataset.state).join();
        if (now !== (all || shown)) refresh();
        all = now;
        setWidth(table, data.rows.map((values) => number(values.points)));
        const rows = data.rows.flatMap((values) => {
          const row = document.getElementById(`c-${values.slug}`);
          if (!row) return [];
          writeRank(row.querySelector(".rk"), values.rank, false, "");
          row.classList.toggle("lead", values.rank <= 3);
          const before = former.get(values.slug) ?? values.points;
          count(row.querySelector(".pts"), before, values.points, number);
          if (before !== values.points) moved.push(row);
          former.set(values.slug, values.points);
          const bar = row.querySelector(".bar");
          if (bar && values.progress !== undefined) writeBar(bar, Math.round(values.progress * 10));
          return [row];
        });
        arrange(body, rows, moved);
      },
    });
  }

  // MARK: links into what is closed

  // Not every browser opens it by itself.
  function openTarget() {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const details = target && target.closest("details");
    if (details && !details.open) {
      details.open = true;
      details.scrollIntoView();
    }
  }
  addEventListener("hashchange", openTarget);
  openTarget();
  // A link to where one is already changes no address.
  document.addEventListener("click", (event) => { if (event.target.closest("a[href^='#']")) setTimeout(openTarget); });

  // MARK: copying

  // A server that does not know its public address writes a path.
  for (const field of document.querySelectorAll("input[readonly]")) field.value = new URL(field.value, location).href;

  if (navigator.clipboard) {
    for (const button of document.querySelectorAll("button.copy")) {
      button.hidden = false;
      const source = button.dataset.copies
        ? document.getElementById(button.dataset.copies) : button.closest("p").previousElementSibling;
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(source.value ?? source.textContent);
        const text = button.textContent;
        button.textContent = document.querySelector("main").dataset.copied;
        setTimeout(() => { button.textContent = text; }, movedMilliseconds);
      });
    }
  }
})();
