// Holds one end of a pipe whose other end dies with the process that started the server, however
// that process dies, and then takes the server down.
// node postgres-guard.mjs <pid of the server> <folder to remove>...
import { rmSync } from 'node:fs';

const [pid, ...folders] = process.argv.slice(2);

function serverIsGone() {
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch {
    return true;
  }
}

function takeDown() {
  if (!serverIsGone()) process.kill(Number(pid), 'SIGQUIT');
  const poll = setInterval(() => {
    if (!serverIsGone()) return;
    clearInterval(poll);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }, 20);
}

process.stdin.resume().once('close', takeDown);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
