// npm run topology -- road: carries out docs/deploy.md, command by command, in an empty chroot of
// Debian, on this machine's network. Needs root and mmdebstrap (apt install mmdebstrap); ROAD_BASE may
// name a tar that it made.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { root } from './node-path.mjs';

/** The commands of the page for a machine without systemd, in their order. */
export const commandsOf = (page) =>
  [...page.matchAll(/^```sh( by-hand| systemd)?\n([\s\S]*?)^```$/gm)]
    .filter(([, kind]) => kind !== ' systemd')
    .map(([, , commands]) => commands);

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

export function walkTheRoad() {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-road-'));
  const machine = join(folder, 'machine');
  const { ROAD_BASE: base } = process.env;
  try {
    mkdirSync(machine);
    if (base === undefined)
      run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', machine]);
    else run('tar', ['-xf', base, '-C', machine]);
    // This machine's way out: its name servers and the authorities that it believes.
    for (const file of ['/etc/resolv.conf', '/etc/ssl/certs/ca-certificates.crt'])
      copyFileSync(file, join(machine, file));
    run('git', ['bundle', 'create', '--quiet', join(machine, 'srv/clinic.bundle'), 'HEAD'], {
      cwd: root,
    });
    const blocks = commandsOf(readFileSync(join(root, 'docs/deploy.md'), 'utf8'));
    writeFileSync(join(machine, 'root/road.sh'), ['set -euo pipefail', ...blocks].join('\n'));
    // With its mounts and processes in a space of their own, which end with it.
    const space = ['--mount', '--pid', '--fork', '--kill-child'];
    const enter = `cd ${machine} && mkdir -p dev/pts dev/shm && mount -t proc proc proc &&
      mount -t devpts devpts dev/pts && mount -t tmpfs tmpfs dev/shm && exec chroot . bash -x /root/road.sh`;
    run('unshare', [...space, 'bash', '-c', enter], {
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        LANG: 'C.UTF-8',
        DEBIAN_FRONTEND: 'noninteractive',
        REPOSITORY: '/srv/clinic.bundle',
        NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
      },
    });
    console.log(`The road of docs/deploy.md was walked: ${blocks.length} blocks of commands`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) walkTheRoad();
