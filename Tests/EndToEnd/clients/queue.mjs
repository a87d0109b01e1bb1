// node queue.mjs CLIENT SERVER GAME DIRECTORY: plays what standard input says with causeboard.js, one call a line as
// JSON, such as ["post", "lap", 5], and prints what each came to, as JSON. DICE fixes the jitter, AHEAD sets the
// clock forward by so many seconds, and POLL and SILENCE are how many there are between two questions for the same thing
// and until a stream that says nothing is taken for dead.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [client, server, game, directory] = process.argv.slice(2);
if (process.env.UNSIGNED) {
  const random = globalThis.crypto;             // what a page has that came without https
  Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: (bytes) => random.getRandomValues(bytes) } });
}
const waits = { 15000: process.env.POLL, 45000: process.env.SILENCE };
const wait = globalThis.setTimeout;
globalThis.setTimeout = (work, ms, ...more) => wait(work, waits[ms] ? Number(waits[ms]) * 1000 : ms, ...more);
const { Causeboard, signature } = await import(pathToFileURL(client));
const dice = process.env.DICE ? { random: () => Number(process.env.DICE) } : {};
const ahead = Number(process.env.AHEAD ?? 0) * 1000;
const options = { server, game, directory, now: () => Date.now() + ahead, ...dice };
let unopened;           // why it cannot be opened, which each call is told
const board = await Causeboard.open(options).catch((error) => { unopened = error; });
const settled = new Map();
const changes = [];
const profiles = [];
let endFollowing;
const refusal = (error) => error && { type: error.type ?? error.name, status: error.status, message: error.message,
  again_at: error.problem?.again_at };
board?.watch(({ item, signIn, stopped }) => changes.push({
  id: item?.id ?? null, state: item?.state ?? (signIn ? "signIn" : "stopped"),
  problem: (item?.problem ?? signIn ?? stopped)?.type ?? null,
}));

function queued(item) {
  settled.set(item.id, item.settled);
  return item.id;
}

const calls = {
  // Calls that do not wait for one another, and what each came to.
  together: (...calls) => Promise.all(calls.map(([name, ...values]) => board[name](...values)
    .then((value) => ({ value: value ?? null }), (error) => ({ error: refusal(error) })))),
  damaged: async () => board.damaged,
  post: async (name, points, detail) => queued(await board.post(name, points, { detail })),
  donate: async (charity, points, anonymous) => queued(await board.donate(charity, points, { anonymous })),
  fill: async (name, count) => {
    const posts = Array.from({ length: count }, (_, index) => board.post(name, index + 1));
    return (await Promise.allSettled(posts)).map(({ reason }) => reason?.type ?? "stored")
      .reduce((counts, word) => ({ ...counts, [word]: (counts[word] ?? 0) + 1 }), {});
  },
  settled: async (id) => {
    const { state, receipt, problem } = await settled.get(id);
    return { state, receipt: receipt ?? null, problem: refusal(problem) ?? null };
  },
  pending: async () => (await board.pending()).map(({ id }) => id),
  refused: async () => (await board.refused()).map(({ id, problem }) => ({ id, problem: problem.type })),
  changes: async () => changes,
  retry: async () => board.retry(),
  around: (name) => board.around(name),
  rank: (name) => board.rank(name),
  load: async (slot) => {
    const found = await board.load(slot);
    return found && { text: new TextDecoder().decode(found.bytes), etag: found.etag };
  },
  merging: (slot, text, etag) => board.save(slot, text, {
    etag, merge: (theirs) => [...new Set([...new TextDecoder().decode(theirs).split(" "), text])].join(" "),
  }),
  followMe: async (isFaulty) => {
    endFollowing = board.followMe((profile) => {
      profiles.push(profile);
      if (isFaulty) throw new Error("the game's own fault");
    });
  },
  collect: async () => globalThis.gc(),
  profiles: async () => profiles,
  endFollowing: async () => endFollowing(),
  top: (name, query) => board.top(name, { limit: 5, ...query }),
  signature: (...parts) => signature(...parts),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...values] = JSON.parse(line);
  try {
    if (unopened) throw unopened;
    const value = await (calls[name] ?? board[name].bind(board))(...values);
    console.log(JSON.stringify({ value: value ?? null }));
  } catch (error) {
    const type = error.type ?? (error.code === "EFBIG" ? "not-stored" : error.name);
    console.log(JSON.stringify({ error: { ...refusal(error), type } }));
  }
}
if (!process.env.LINGER) process.exit(0);        // else it ends when nothing is left to do
