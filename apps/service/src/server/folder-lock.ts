import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Thrown when another running process holds the data folder. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';

  constructor(folder: string, pid: number) {
    super(
      `The data folder ${folder} is in use by process ${pid}. Stop that process, or set DATA_DIR to another folder.`,
    );
  }
}

const heldHere = new Set<string>();

/**
 * Locks a data folder for this process: the embedded database would let two processes write to it. Takes over
 * the lock of a process that has ended. Returns a function that releases the lock.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'lock');
  const mine = `${process.pid} ${startOf(process.pid)}`;
  if (heldHere.has(file)) throw new DataFolderInUse(folder, process.pid);
  if (!write(file, mine)) {
    const found = read(file);
    const [pid = '', started = ''] = found.split(' ');
    if (isRunning(Number(pid), started)) throw new DataFolderInUse(folder, Number(pid));
    const aside = `${file}.${process.pid}`;
    renameSync(file, aside);
    const moved = read(aside);
    rmSync(aside, { force: true });
    if (moved !== found || !write(file, mine))
      throw new DataFolderInUse(folder, Number(moved.split(' ')[0]));
  }
  heldHere.add(file);
  return () => {
    if (heldHere.delete(file) && read(file) === mine) rmSync(file, { force: true });
  };
}

function write(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

function isRunning(pid: number, started: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return startOf(pid) === started;
}

/** When the process started, as process numbers are used again; '-' where the system does not tell. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-';
  } catch {
    return '-';
  }
}
