// Node's fetch, which keeps connections alive.
import { createInterface } from "node:readline";

async function call(order) {
  const headers = { "Content-Type": "application/json" };
  if (order.key) headers["Idempotency-Key"] = order.key;
  const init = { method: "POST", headers, body: order.body, signal: AbortSignal.timeout(order.timeout * 1000) };
  if (order.chunked) {
    init.body = new Blob([order.body]).stream();
    init.duplex = "half";
  }
  let status = 0;
  try {
    const reply = await fetch(order.url, init);
    status = reply.status;
    return { status, body: await reply.text(), error: "" };
  } catch (err) {
    return { status, body: "", error: word(err, status) };
  }
}

function word(err, status) {
  if (err.name === "TimeoutError" || err.name === "AbortError") return "gave up";
  const cause = err.cause ?? err;
  if (cause.code === "ECONNREFUSED") return "refused";
  if (cause.code === "ECONNRESET" || cause.code === "EPIPE") return status ? "cut short" : "reset";
  if (cause.code === "UND_ERR_SOCKET") return status ? "cut short" : "closed";
  if (String(cause.code).startsWith("HPE_")) return "bad reply";
  return String(err) + ": " + String(cause.code ?? cause);
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(await call(JSON.parse(line))) + "\n");
}
