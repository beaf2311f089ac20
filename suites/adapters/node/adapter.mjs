// Plugs a recovery into Lost Receipt: lostreceipt run -- node adapter.mjs
//
// This is all of the agent protocol. What decides stands in recovery.mjs: put your own in its place.
import { recover } from './recovery.mjs';

const { LOSTRECEIPT_URL: URL, LOSTRECEIPT_TOKEN: TOKEN } = process.env;

/** Speaks with the control plane, which is never broken on purpose: the status and the JSON of its reply. */
async function ask(method, path, body) {
  const reply = await fetch(URL + path, {
    method, body: body && JSON.stringify(body), headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
  });
  const text = await reply.text();
  if (reply.status >= 400 && reply.status !== 410) throw new Error(`${method} ${path}: status ${reply.status} ${text}`);
  return [reply.status, text ? JSON.parse(text) : undefined];
}

const platform = (task) => ({
  /** Whether it still holds: to be asked before every write. */
  confirmation: async (id) => (await ask('GET', `/v1/confirmations/${id}`))[1],
  inbox: async (after, ms) => (await ask('GET', `/v1/tasks/${task.id}/inbox?after=${after}&wait=${Math.ceil(ms)}ms`))[1],
  claim: (state) => ask('POST', `/v1/tasks/${task.id}/states`, state),
  result: (result) => ask('POST', `/v1/tasks/${task.id}/result`, result),
});

for (;;) {
  const [status, work] = await ask('GET', '/v1/work?wait=20s');
  if (status === 410) break; // there is no more work
  if (status === 200) await recover(work.task, platform(work.task));
}
