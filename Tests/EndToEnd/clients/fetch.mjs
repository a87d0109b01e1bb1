// node fetch.mjs BASE TOKEN STEPS: sends each line `METHOD PATH [BODY]` of the file and prints each status.
import { readFileSync } from "node:fs";

const [base, token, steps] = process.argv.slice(2);
for (const line of readFileSync(steps, "utf8").trim().split("\n")) {
  const [method, path, ...body] = line.split(" ");
  const response = await fetch(base + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: body.length ? body.join(" ") : undefined,
  });
  await response.arrayBuffer();
  console.log(response.status);
}
