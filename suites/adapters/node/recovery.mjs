// A recovery in Node, without packages: submit, track, buy, and never do anything twice. Put your own in its place.
//
// Its four rules: what is sent is on disk before its first byte leaves, under one identifier for ever; whether it may be
// sent is asked before each write; an answer that did not come is a doubt, which a replay that the service still recognises
// or a record found by a query ends, and nothing else; what is in doubt at the period's end goes to a person.
// A lock lets one process at a time work on a task.
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual as same } from 'node:util';

const TIMEOUT = 0, BROKEN = -1, NOT_SENT = -2; // in place of an HTTP status
const UNKNOWN = { 'approval.submit': 'acceptance', 'purchase.buy': 'purchase', 'approval.notify': 'notification', 'approval.withdraw': 'withdrawal' };

/** Makes one attempt: its status, the JSON object of its reply, and the milliseconds that the reply asks to wait. */
async function call(method, url, body, timeout = 60_000, headers = {}) {
  try {
    const reply = await fetch(url, {
      method, body: body && JSON.stringify(body), redirect: 'manual', signal: AbortSignal.timeout(timeout),
      headers: { 'Content-Type': 'application/json', Connection: 'close', ...headers },
    });
    const text = await reply.text();
    const wait = Number(reply.headers.get('retry-after-ms') ?? 0) || 1000 * Number(reply.headers.get('retry-after') ?? 0) || 0;
    let answer;
    try { answer = JSON.parse(text); } catch { /* says nothing */ }
    return [reply.status, answer && typeof answer === 'object' && !Array.isArray(answer) ? answer : {}, wait];
  } catch (failure) {
    return [failure.name === 'TimeoutError' ? TIMEOUT : failure.cause?.code === 'ECONNREFUSED' ? NOT_SENT : BROKEN, {}, 0];
  }
}

/** Waits until no other living process has the task, and runs work. */
async function alone(dir, work) {
  const lock = join(dir, 'lock'), mine = `${lock}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  for (;;) {
    try {
      linkSync(mine, lock);
      break;
    } catch {
      try {
        process.kill(Number(readFileSync(lock, 'utf8')), 0);
        await sleep(20);
      } catch (gone) {
        if (gone.code === 'ESRCH') rmSync(lock, { force: true }); // it was killed
      }
    }
  }
  try {
    await work();
  } finally {
    rmSync(lock);
    rmSync(mine);
  }
}

const stamp = (ms) => (ms ? new Date(ms).toISOString() : null);

/** Does a task, or goes on with it after a restart. */
export const recover = (task, platform) => alone(task.state_dir, () => new Task(task, platform).run());

class Task {
  constructor(task, platform) {
    Object.assign(this, { task, platform, limits: task.limits, guarantees: task.guarantees, heard: 0 });
    this.approvals = `${task.endpoints.approval}/v1/approvals`;
    this.purchases = `${task.endpoints.purchase}/v1/purchases`;
    this.file = join(task.state_dir, 'state.json');
    // The confirmation is the one that was sent; after a restart the task may name a newer one.
    this.state = existsSync(this.file) ? JSON.parse(readFileSync(this.file, 'utf8'))
      : { confirmation: task.confirmation, intents: {}, queries: {}, record: null, error: '' };
    this.confirmation = this.state.confirmation;
    this.version = { id: this.confirmation.id, version: this.confirmation.version };
  }

  save() {
    const file = openSync(`${this.file}.new`, 'w');
    writeSync(file, JSON.stringify(this.state));
    fsyncSync(file);
    closeSync(file);
    renameSync(`${this.file}.new`, this.file);
    const folder = openSync(this.task.state_dir, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }

  async run() {
    const submit = this.guarantees['approval.submit'] ?? {};
    if (this.state.result) return this.finish(this.state.result.status, this.state.result.unverified);
    if (this.state.escalation) return this.escalate();
    if (!submit.idempotency?.supported && !submit.query?.by_key) {
      await this.claim('preview_ready');
      return this.finish('preview');
    }
    const standing = await this.write('approval.submit', 'submit', this.approvals, {
      confirmation: this.version, tenant: this.task.tenant, object: this.task.object, content: this.confirmation.content, digest: this.confirmation.digest,
    }, (r) => this.keep(r), () => this.find());
    const nothing = standing === 'unsent' && !this.state.intents['approval.submit'].attempts && (this.now.cancelled || this.now.stopped);
    if (standing === 'refused' || nothing) {
      await this.claim(nothing ? 'cancelled' : 'refused');
      return this.finish(nothing ? 'cancelled' : 'refused');
    }
    if (standing !== 'done') return this.escalate();
    if (this.state.record.status === 'pending') await this.claim('tracking');
    for (let tries = 0; this.state.record.status === 'pending' && !await this.halted() && await this.notify() === 'done'; tries++) {
      await this.listen(tries);
      await this.track();
    }
    await this.halted();
    const { cancelled } = this.now;
    if (cancelled && this.state.record.status === 'pending' && this.task.on_cancel === 'withdraw' && submit.withdraw_states?.includes('pending')) {
      await this.write('approval.withdraw', 'withdraw', `${this.task.endpoints.approval}/v1/withdrawals`,
        { ref: this.state.record.ref }, (r) => this.keep(r) && r.status === 'withdrawn',
        async () => await this.track() && this.state.record.status !== 'pending');
      await this.track();
    }
    const { status } = this.state.record;
    if (status === 'withdrawn' || (status === 'declined' && (!this.state.intents['approval.notify'] || await this.notify() === 'done'))) {
      await this.claim(status);
      return this.finish(cancelled && status === 'withdrawn' ? 'cancelled' : 'declined');
    }
    if (status !== 'approved' || await this.buy() !== 'done' || await this.notify() !== 'done') return this.escalate();
    await this.claim('completed');
    return this.finish('completed');
  }

  buy() {
    const order = { approval: this.state.record.ref, content: this.confirmation.content };
    const bought = (r) => Boolean(r.ref) && r.status === 'done' && r.key === this.key('purchase.buy') && r.approval === order.approval && same(r.content, order.content);
    return this.write('purchase.buy', 'purchase', this.purchases, order, bought,
      async () => (await this.query('purchase.query', `${this.purchases}?key=${this.key('purchase.buy')}`)).some(bought));
  }

  /** Sends the notification again when it is known to be missing, and only then; of a pending request before its decision. */
  async notify() {
    const { ref, consequences } = this.state.record;
    if (consequences.notification !== 'failed') return 'done';
    const sent = (r) => this.keep(r) && r.consequences.notification === 'sent';
    return this.write('approval.notify', 'notify', `${this.approvals}/${ref}/notifications`, {}, sent,
      async () => await this.track() && sent(this.state.record));
  }

  /** Carries one write to its end: done, refused, conflict; or doubt or unsent, where nothing more may be tried. */
  async write(operation, permission, url, body, settles, find) {
    const intent = this.state.intents[operation] ??= { key: randomUUID(), body, standing: 'unsent', attempts: 0, began: 0, first_sent: 0, not_before: 0 };
    const promise = this.guarantees[operation] ?? {};
    const findable = promise.query?.by_key || operation === 'approval.withdraw' || operation === 'approval.notify';
    for (let tries = 0; intent.standing === 'unsent' || intent.standing === 'doubt'; tries++) {
      const doubt = intent.standing === 'doubt', left = intent.attempts < this.limits.max_attempts;
      if (doubt) await this.claim('pending_verification');
      const sending = left && Date.now() >= intent.not_before && (!doubt || this.protected(promise, intent));
      if (sending && permission === 'submit') await this.claim('submitting');
      const allowed = await this.may(permission); // last, before the send
      // A little longer than the period, for it runs from the first byte, which leaves after this clock is read.
      const ends = (intent.began || Date.now()) + this.limits.verification_period_ms + this.limits.attempt_timeout_ms / 8;
      if (Date.now() >= ends && doubt && findable && !tries && await find()) { // after a long restart: one look
        intent.standing = 'done';
        break;
      }
      if (Date.now() >= ends || this.now.stopped || (!doubt && !(left && allowed && intent.not_before < ends))) break;
      // Where the authorization is gone a person has to know, now.
      if (!allowed && !this.now.cancelled && this.now.current_version === this.version.version) break;
      // Nobody has to be told of what is to be withdrawn.
      if (!allowed && permission === 'notify' && this.state.record.status === 'pending') break;
      if (sending && allowed) {
        await this.send(url, intent, promise, doubt, settles);
      } else if (doubt && findable && await find()) {
        intent.standing = 'done';
      }
      this.save();
      if (intent.standing === 'unsent' || intent.standing === 'doubt') await this.pause(tries, ends);
    }
    return intent.standing;
  }

  async send(url, intent, promise, doubt, settles) {
    const first = !intent.began;
    intent.attempts++;
    intent.began ||= Date.now();
    intent.first_sent ||= Date.now();
    intent.standing = 'doubt';
    this.save();
    if (first) intent.began = Date.now();
    const [status, reply, wait] = await call('POST', url, intent.body, this.limits.attempt_timeout_ms, { 'Idempotency-Key': intent.key });
    intent.not_before = Date.now() + Math.max(wait, this.backoff(intent.attempts));
    if ((status === 200 || status === 201) && settles(reply)) {
      intent.standing = 'done';
      return;
    }
    this.state.error = `status ${status} ${reply.code ?? ''}`;
    if (status === NOT_SENT) {
      intent.attempts--;
      intent.standing = doubt ? 'doubt' : 'unsent';
      if (!intent.attempts) intent.first_sent = 0;
    } else if (status === 409 && reply.code === 'identifier_conflict') {
      intent.standing = 'conflict';
    } else if (promise.no_effect_statuses?.includes(status)) { // of this attempt; an earlier one may still be open
      if (!doubt) intent.standing = status === 429 ? 'unsent' : 'refused';
      else if (status !== 429) intent.attempts = this.limits.max_attempts;
    }
  }

  /** Whether the service still recognises the identifier when a replay reaches it. */
  protected(promise, intent) {
    const { supported, retention_ms: retention } = promise.idempotency ?? {};
    return supported && Date.now() + this.limits.attempt_timeout_ms < intent.first_sent + retention;
  }

  /** Asks whether a write is still authorized; a withdrawal is what a cancellation wants. */
  async may(permission) {
    this.now = await this.platform.confirmation(this.version.id);
    this.state.checked = Date.now();
    const current = this.now.valid && this.now.current_version === this.version.version && !this.now.cancelled;
    return !this.now.stopped && this.now.permissions.includes(permission) && (current || permission === 'withdraw');
  }

  /** Whether an accepted request is not to be followed to its end; it is where only its authorization is gone. */
  async halted() {
    await this.may('submit');
    return this.now.stopped || this.now.cancelled || this.now.current_version !== this.version.version;
  }

  /** Takes in a record of the submission if it is this one and no other, and newer than what is known. */
  keep(r) {
    const mine = {
      key: this.key('approval.submit'), tenant: this.task.tenant, object: this.task.object, confirmation: this.version,
      content: this.confirmation.content, digest: this.confirmation.digest,
    };
    if (!r.ref || Object.keys(mine).some((name) => !same(r[name], mine[name]))) return false;
    if (!this.state.record || r.seq >= this.state.record.seq) this.state.record = r;
    const notice = this.state.intents['approval.notify'];
    if (notice && r.consequences.notification === 'sent') notice.standing = 'done';
    return true;
  }

  async find() {
    const records = await this.query('approval.query', `${this.approvals}?key=${this.key('approval.submit')}`);
    return records.filter((r) => this.keep(r)).length > 0;
  }

  /** Looks at the approval, by the ways that the service promises. */
  async track() {
    const ways = this.guarantees['approval.submit'].query ?? {};
    if (!ways.by_ref) return ways.by_key ? this.find() : false;
    const records = await this.query('approval.track', `${this.approvals}/${this.state.record.ref}`);
    return records.filter((r) => this.keep(r)).length > 0;
  }

  /** Waits, and takes in the events that come meanwhile; after a restart they come again. */
  async listen(tries) {
    const inbox = await this.platform.inbox(this.heard, this.backoff(tries));
    this.heard = inbox.next;
    for (const item of inbox.items) this.keep(item.record ?? {});
  }

  /** Asks once. That nothing is found proves nothing. */
  async query(operation, url) {
    const [status, answer] = await call('GET', url, undefined, this.limits.attempt_timeout_ms);
    const records = status === 200 ? answer.items ?? [answer] : [];
    const outcome = status === TIMEOUT ? 'timeout' : status !== 200 && status !== 404 ? 'error' : records.length ? 'found' : 'empty';
    this.state.queries[`${operation} ${outcome}`] = (this.state.queries[`${operation} ${outcome}`] ?? 0) + 1;
    this.save();
    return records.filter((r) => r && typeof r === 'object');
  }

  /** Hands over to a person, once, with all that is known. */
  async escalate() {
    if (!this.state.escalation) {
      await this.may('submit');
      const intents = Object.entries(this.state.intents), original = this.state.intents['approval.submit'];
      this.state.escalation = { key: randomUUID(), body: {
        task: this.task.id,
        original: { confirmation: this.version, content: this.confirmation.content, key: original.key, first_sent_at: stamp(original.first_sent) },
        basis: { confirmation: this.version, checked: stamp(this.state.checked) },
        queries: Object.entries(this.state.queries).map(([what, count]) => ({ operation: what.split(' ')[0], outcome: what.split(' ')[1], count })),
        unknowns: intents.filter(([, i]) => i.standing === 'doubt' || i.standing === 'conflict').map(([operation]) => UNKNOWN[operation]),
        entry_points: this.guarantees['approval.submit']?.query?.by_key ? ['query'] : [],
        last_error: this.state.error,
        trace: intents.map(([operation, i]) => `${operation}: ${i.attempts} attempts, ${i.standing}`),
      } };
      this.save();
    }
    const { key, body } = this.state.escalation;
    for (let tries = 0; tries < this.limits.max_attempts; tries++) {
      const [status, , wait] = await call('POST', `${this.task.endpoints.desk}/v1/escalations`, body, this.limits.attempt_timeout_ms, { 'Idempotency-Key': key });
      if (status === 201) break;
      await sleep(Math.max(wait, this.backoff(tries)));
    }
    await this.claim('escalated');
    return this.finish('escalated', body.unknowns.map((unknown) => ({ confirmation: this.version.id, unknown })));
  }

  finish(status, unverified = []) {
    this.state.result = { status, unverified };
    this.save();
    return this.platform.result(this.state.result);
  }

  claim(state) {
    const ref = this.state.record?.ref;
    return this.platform.claim({ confirmation: this.version, state, ref });
  }

  key(operation) { return this.state.intents[operation].key; }

  backoff(tries) {
    const wait = Math.min(this.limits.backoff_base_ms * 2 ** tries, this.limits.backoff_max_ms);
    return wait * (1 + this.limits.backoff_jitter * Math.random());
  }

  pause(tries, ends = Infinity) { return sleep(Math.max(1, Math.min(this.backoff(tries), ends - Date.now()))); }
}
