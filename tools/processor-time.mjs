import { readFileSync, readdirSync } from 'node:fs';

const marker = 'TEST_SUITE';

/** In the environment of a process it says which suite that process works for, with all its descendants. */
export const workingFor = (suite) => ({ [marker]: `${process.pid} ${suite}` });

/**
 * Processor seconds (user and system) by suite, of everything that this process starts: also of what detached
 * itself, outlives its parent, or is killed. Linux adds a process that ended to its parent's account, if that one
 * lived to see it; so each look at /proc counts what the living used since the last look, and what a parent was
 * given beyond what had been seen of its children. Only what an orphan used after its last look is lost.
 */
export class ProcessorTime {
  #ticks = new Map();
  #known = new Map();
  #timer;

  /** Looks twice a second. Without /proc, as on macOS, nothing is known. */
  start() {
    this.#timer = setInterval(() => this.note(processes()), 500).unref();
  }

  stop() {
    clearInterval(this.#timer);
    this.note(processes());
  }

  /** Undefined where nothing is known of it. */
  secondsOf(suite) {
    return inSeconds(this.#ticks.get(suite));
  }

  get seconds() {
    const all = [...this.#ticks.values()];
    return all.length === 0 ? undefined : inSeconds(all.reduce((sum, each) => sum + each));
  }

  /** One look: the processes that there are, parents before their children. */
  note(looks) {
    const before = this.#known;
    const now = new Map();
    for (const look of looks) {
      const last = before.get(look.id);
      const suite = suiteOf(look, last, now);
      now.set(look.id, { ...look, suite, looks: (last?.looks ?? 0) + 1 });
    }
    const ended = [...before.values()].filter((each) => !now.has(each.id));
    this.#known = now;
    for (const living of now.values()) {
      if (living.suite === undefined) continue;
      const last = before.get(living.id) ?? { own: 0, ofChildren: 0 };
      this.#add(living.suite, living.own - last.own);
      const children = ended.filter((each) => each.parent === living.pid);
      const seen = children.reduce((sum, child) => sum + usedBy(child, ended), 0);
      const unseen = Math.max(0, living.ofChildren - last.ofChildren - seen);
      const owners = children.length > 0 ? children : [living];
      for (const { suite } of owners) this.#add(suite, unseen / owners.length);
    }
  }

  #add(suite, ticks) {
    this.#ticks.set(suite, (this.#ticks.get(suite) ?? 0) + ticks);
  }
}

// Linux tells programs a hundred ticks a second, whatever the kernel's own clock does.
const inSeconds = (ticks) => (ticks === undefined ? undefined : Math.round(ticks / 100));

/** What is counted already of a process that ended, with those of its children that ended beside it. */
function usedBy({ pid, own, ofChildren }, ended) {
  const children = ended.filter((each) => each.parent === pid);
  return children.reduce((sum, child) => sum + usedBy(child, ended), own + ofChildren);
}

/** Its mark, or else its parent's. Looked for twice: the first time it may not have its own environment yet. */
function suiteOf({ pid, parent, readMark }, last, now) {
  if (last && last.looks > 1) return last.suite;
  if (pid === process.pid) return 'vitest';
  const [run, suite] = readMark() ?? [];
  if (run === String(process.pid)) return suite;
  return last?.suite ?? [...now.values()].find((each) => each.pid === parent)?.suite;
}

/** All processes of the machine, oldest first. */
function processes() {
  let pids;
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return pids.flatMap((pid) => look(pid) ?? []).sort((one, other) => one.started - other.started);
}

function look(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // After the name, which may hold spaces and brackets: proc_pid_stat(5), from its third field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent, user, system, userOfChildren, systemOfChildren] = [1, 11, 12, 13, 14].map(
      (index) => Number(fields[index]),
    );
    return {
      id: `${pid} ${fields[19]}`,
      pid: Number(pid),
      parent,
      started: Number(fields[19]),
      own: user + system,
      ofChildren: userOfChildren + systemOfChildren,
      readMark: () => markOf(pid),
    };
  } catch {
    return undefined;
  }
}

function markOf(pid) {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const own = variables.find((each) => each.startsWith(`${marker}=`));
    return own?.slice(marker.length + 1).split(' ');
  } catch {
    return undefined;
  }
}
