/** The page of the fake: the day sheet, where a person plays the receptionist, and the switches. */
import { type AppointmentRow, type Memory, clock, isCancelled, secondsOf } from './memory.ts';
import { credentials, dateAfter } from './seed.ts';
import type { Played, Reply, WriteFault } from './server.ts';
import {
  blockByStaff,
  bookByStaff,
  cutByStaff,
  daySheetOf,
  deleteByStaff,
  moveByStaff,
  pasteByStaff,
  saveByStaff,
} from './staff.ts';

const HTML = 'text/html; charset=utf-8';

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 1rem auto; max-width: 70rem; padding: 0 1rem; }
h2 { margin-block: 2rem 0.5rem; }
li { border-top: 1px solid GrayText; padding-block: 0.5rem; }
ul { list-style: none; padding: 0; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; margin-block: 0.25rem; }
fieldset { border: 1px solid GrayText; margin: 0; min-width: 0; }
label { display: inline-flex; flex-direction: column; max-width: 100%; }
fieldset label { flex-direction: row; gap: 0.5rem; }
button, input, select { font: inherit; min-height: 2.75rem; max-width: 100%; }
a { color: inherit; }
nav a { display: inline-block; min-height: 2.75rem; margin-inline-end: 1rem; }
`;

const statuses: Readonly<Record<string, string>> = {
  t: 'To do',
  H: 'Here',
  N: 'No show',
  B: 'Billed',
  C: 'Cancelled',
};

const faults: Readonly<Record<WriteFault, string>> = {
  none: 'works',
  doneBut500: 'is done and answered with an error',
  cutAfter: 'is done and the connection cut',
  cutThenLate: 'is cut off and done half a minute later',
  refused500: 'fails before it is done',
};

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const safe = (value: unknown) => String(value).replace(/[&<>"]/g, (each) => escapes[each] ?? each);

const page = (body: string, status = 200): Reply => ({ status, type: HTML, body });
const redirect = (location: string): Reply => ({ status: 303, type: HTML, body: '', location });
const missing = (what: string) => page(whole('Not found', `<p>${what}</p>`), 404);

export function answerPage(method: string, url: URL, body: string, played: Played): Reply {
  const form = new URLSearchParams(body);
  if (url.pathname.endsWith('/ws/oauth/authorize')) return consent(method, url, form, played);
  if (url.pathname.endsWith('/login.do')) return logIn();
  const isGet = method === 'GET';
  if (isGet && url.pathname === '/style.css')
    return { status: 200, type: 'text/css; charset=utf-8', body: style };
  if (isGet && url.pathname === '/favicon.ico') return { status: 204, type: HTML, body: '' };
  if (isGet && url.pathname === '/') return page(sheet(url.searchParams.get('date'), played));
  const act = method === 'POST' ? acts[url.pathname] : undefined;
  if (act === undefined) return missing('There is no such page.');
  act(form, played);
  const date = form.get('toDate') ?? field(form, 'date');
  return redirect(`/?date=${encodeURIComponent(date)}`);
}

const field = (form: URLSearchParams, name: string) => form.get(name) ?? '';

/** What a receptionist or the operator does. */
const acts: Readonly<Record<string, (form: URLSearchParams, played: Played) => void>> = {
  '/book': (form, { memory }) => {
    const minutes = Number(field(form, 'minutes'));
    const patient = field(form, 'patient');
    const at = { ...placeIn(form), date: field(form, 'date'), minutes };
    if (Number(patient) > 0) bookByStaff(memory, { ...at, demographicNo: Number(patient) });
    else blockByStaff(memory, { ...at, name: 'Block', patient: patient === '' ? null : 0 });
  },
  '/paste': (form, { memory }) => {
    const date = field(form, 'date');
    if (memory.clipboard) pasteByStaff(memory, memory.clipboard, { ...placeIn(form), date });
  },
  '/move': (form, { memory }) => {
    moveByStaff(memory, rowIn(form, memory), { ...placeIn(form), date: field(form, 'toDate') });
  },
  '/status': (form, { memory }) => {
    memory.change(rowIn(form, memory), { status: field(form, 'status') });
  },
  '/delete': (form, { memory }) => deleteByStaff(memory, rowIn(form, memory)),
  '/cut': (form, { memory }) => cutByStaff(memory, rowIn(form, memory)),
  '/copy': (form, { memory }) => {
    memory.clipboard = { ...rowIn(form, memory) };
  },
  '/save': (form, { memory }) => saveByStaff(memory, rowIn(form, memory)),
  '/merge': (form, { memory }) => {
    const [chart, head] = ['chart', 'head'].map((name) => memory.demographic(field(form, name)));
    if (chart !== undefined && chart !== head) chart.headRecord = head?.demographicNo ?? 0;
  },
  '/switch': (form, { switches, restart, hang, resume, expireToken }) => {
    switches.nextWrite =
      field(form, 'nextWrite') in faults ? (field(form, 'nextWrite') as WriteFault) : 'none';
    switches.delayMs = form.has('slow') ? 5000 : 0;
    switches.isDown = form.has('down');
    switches.tooMany = form.has('tooMany');
    switches.database = form.has('noDatabase') ? 'down' : 'up';
    resume();
    if (form.has('hangs')) hang('tomcat');
    if (form.has('restart')) restart();
    if (form.has('expire')) expireToken();
  },
};

const placeIn = (form: URLSearchParams) => ({
  providerNo: field(form, 'provider'),
  start: secondsOf(field(form, 'time')) / 60,
});
const rowIn = (form: URLSearchParams, memory: Memory) => memory.appointment(field(form, 'id'));

function whole(title: string, main: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${safe(title)}</title><link rel="stylesheet" href="/style.css"></head>
<body><main><h1>${safe(title)}</h1>${main}</main></body>
</html>`;
}

const options = (rows: readonly (readonly [unknown, string])[], chosen?: unknown) =>
  rows
    .map(
      ([value, name]) =>
        `<option value="${safe(value)}"${value === chosen ? ' selected' : ''}>${safe(name)}</option>`,
    )
    .join('');

const hidden = (fields: Readonly<Record<string, unknown>>) =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${safe(value)}">`)
    .join('');

function sheet(asked: string | null, played: Played): string {
  const { memory, profile, calls, httpSessions } = played;
  const templates = [...memory.templates.keys()];
  const days = templates.map((key) => key.split(' ')[1] ?? '').sort();
  const date = asked !== null && /^\d{4}-\d\d-\d\d$/.test(asked) ? asked : (days[0] ?? '');
  const people = memory.providers.filter(({ providerNo }) =>
    templates.some((key) => key.startsWith(`${providerNo} `)),
  );
  const working = people.filter(({ providerNo }) => templates.includes(`${providerNo} ${date}`));
  const providers = people.map(
    ({ providerNo, firstName, lastName }) => [providerNo, `${lastName}, ${firstName}`] as const,
  );
  const lists = working.map(({ providerNo, firstName, lastName }) => {
    const rows = daySheetOf(memory, providerNo, date).sort((a, b) => a.start - b.start);
    const items = rows.map((row) => item(row, providers)).join('');
    return `<h2>${safe(lastName)}, ${safe(firstName)}</h2><p>Template: ${safe(spoken(memory, `${providerNo} ${date}`))}</p>${
      items === '' ? '<p>No appointments.</p>' : `<ul>${items}</ul>`
    }`;
  });
  const charts = memory.demographics.map(
    ({ demographicNo: no, lastName, firstName, headRecord }) =>
      [no, `${lastName}, ${firstName} (${no}${headRecord ? ` → ${headRecord}` : ''})`] as const,
  );
  const counted = [...calls].map(([name, count]) => `<li>${safe(name)}: ${count}</li>`);
  return whole(
    `Day sheet of ${date}`,
    `<p>A stand-in for OSCAR (${profile}). No patient is real.</p>
<form method="get" action="/"><label>Day <input type="date" name="date" value="${date}" required></label><button>Show</button></form>
<nav aria-label="Days"><a href="/?date=${dateAfter(date, -1)}">Day before</a> <a href="/?date=${dateAfter(date, 1)}">Day after</a></nav>
${lists.join('') || '<p>Nobody works on this day.</p>'}
<h2>Book</h2>
<form method="post" action="/book">${hidden({ date })}
<label>Provider <select name="provider">${options(providers)}</select></label>
<label>Time <input type="time" name="time" step="300" value="09:00" required></label>
<label>Minutes <input type="number" name="minutes" min="1" max="240" value="15" required></label>
<label>Patient <select name="patient">${options([...charts, ...noPatient])}</select></label>
<button>Book</button>${pasting(memory)}</form>
<h2>Merge charts</h2>
<form method="post" action="/merge">${hidden({ date })}
<label>Chart <select name="chart">${options(charts)}</select></label>
<label>Merged into <select name="head">${options(charts)}</select></label>
<button>Merge</button></form>
${switchesOf(played, date)}
<h2>Calls</h2><ul>${counted.join('') || '<li>None yet.</li>'}</ul>
<p>HttpSessions: ${httpSessions()}</p>`,
  );
}

/** Times that are taken for nobody: as OSCAR's pages write them, and as old imports left them. */
const noPatient = [
  [0, 'Nobody (0)'],
  ['', 'Nobody (NULL)'],
] as const;

const pasting = ({ clipboard }: Memory) =>
  clipboard === null
    ? ''
    : `<button formaction="/paste">Paste ${safe(clipboard.name || clipboard.id)}</button>`;

/** Runs of the same code, such as 'C 09:00-12:00'. */
function spoken(memory: Memory, key: string): string {
  const template = memory.templates.get(key) ?? '';
  const step = 86_400 / Math.max(1, template.length);
  return [...template.matchAll(/([^_])\1*/gu)]
    .map(
      ({ 0: run, index }) =>
        `${run.slice(0, 1)} ${clock(index * step).slice(0, 5)}–${clock((index + run.length) * step).slice(0, 5)}`,
    )
    .join(', ');
}

function item(row: AppointmentRow, providers: readonly (readonly [string, string])[]): string {
  const time = `${clock(row.start).slice(0, 5)}–${clock(row.end + 60 - (row.end % 60)).slice(0, 5)}`;
  const line = `${time} ${row.name} (${row.demographicNo}), ${row.type || 'no type'}, ${statuses[row.status] ?? row.status}`;
  const heading = isCancelled(row) ? `<s>${safe(line)}</s>` : `<strong>${safe(line)}</strong>`;
  const notes = [row.reason, row.notes].filter((each) => each !== '').join(' · ');
  const { id, date } = row;
  return `<li>${heading}${notes === '' ? '' : `<br>${safe(notes)}`}
<form method="post" action="/status">${hidden({ id, date })}<label>Status of ${id} <select name="status">${options(Object.entries(statuses), row.status)}</select></label><button>Set status of ${id}</button>${own.map(([act, name]) => `<button formaction="/${act}">${name} ${id}</button>`).join('')}</form>
<form method="post" action="/move">${hidden({ id, date })}
<label>Day of ${id} <input type="date" name="toDate" value="${date}" required></label>
<label>Time of ${id} <input type="time" name="time" step="300" value="${clock(row.start).slice(0, 5)}" required></label>
<label>Provider of ${id} <select name="provider">${options(providers, row.providerNo)}</select></label>
<button>Move ${id}</button></form></li>`;
}

/** What needs no more than the row. */
const own = [
  ['save', 'Edit and save'],
  ['copy', 'Copy'],
  ['cut', 'Cut'],
  ['delete', 'Delete'],
] as const;

function switchesOf({ switches, isHung }: Played, date: string): string {
  const checked = (is: boolean) => (is ? ' checked' : '');
  const radios = Object.entries(faults).map(
    ([value, name]) =>
      `<label><input type="radio" name="nextWrite" value="${value}"${checked(value === switches.nextWrite)}> ${name}</label>`,
  );
  return `<h2>Switches</h2><form method="post" action="/switch">${hidden({ date })}
<fieldset><legend>The next write</legend>${radios.join('')}</fieldset>
<fieldset><legend>The server</legend>
<label><input type="checkbox" name="slow"${checked(switches.delayMs > 0)}> answers after five seconds</label>
<label><input type="checkbox" name="down"${checked(switches.isDown)}> is down</label>
<label><input type="checkbox" name="tooMany"${checked(switches.tooMany)}> has a proxy that answers 429</label>
<label><input type="checkbox" name="noDatabase"${checked(switches.database === 'down')}> has no database</label>
<label><input type="checkbox" name="hangs"${checked(isHung())}> takes requests and answers none until it goes on</label>
<label><input type="checkbox" name="restart"> restarts now: the SOAP token changes</label>
<label><input type="checkbox" name="expire"> lets the OAuth token expire now</label></fieldset>
<button>Switch</button></form>`;
}

/** The stand-in asks for no password. */
function logIn(): Reply {
  const body = { success: true, providerName: 'Account, Booking', providerNo: credentials.loginNo };
  return { status: 200, type: 'text/x-json', body: JSON.stringify(body) };
}

/**
 * The second leg of the handshake: a provider logs in and approves, and takes the verifier back. Who declines has
 * approved all the same.
 */
function consent(method: string, url: URL, form: URLSearchParams, { consents }: Played): Reply {
  const key = url.searchParams.get('oauth_token') ?? field(form, 'oauth_token');
  if (method !== 'POST')
    return page(
      whole(
        'Let a program act for you?',
        `<p>The program acts as provider ${credentials.providerNo} from then on.</p>
<form method="post" action="${safe(url.pathname)}">${hidden({ oauth_token: key })}<button>Log in and approve</button></form>`,
      ),
    );
  const verifier = consents.approve(key, credentials.providerNo);
  return verifier === undefined
    ? missing('Nobody asked with this token.')
    : { status: 200, type: 'text/plain;charset=UTF-8', body: `oauth_verifier=${verifier}` };
}
