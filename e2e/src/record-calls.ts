import { appendFileSync, existsSync, readFileSync } from 'node:fs';

import type { Browser } from '@playwright/test';
import { routes } from '@clinic/contract';

/** A request as the page sent it, and the status of its answer. */
interface Noted {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly files?: readonly { readonly field: string; readonly type: string }[];
  readonly status: number;
}

type Example = Omit<Noted, 'method' | 'path' | 'status'> & {
  readonly call: string;
  readonly params?: Readonly<Record<string, string>>;
};

/**
 * With RECORD_CALLS=<file>, adds to that file an example of each shape of request that the pages send and that
 * the service takes, with `{…}` for every secret and for what differs from clinic to clinic.
 */
export function recordingCalls(browser: Browser): Browser {
  const file = process.env['RECORD_CALLS'];
  if (file === undefined) return browser;
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    await context.exposeFunction('noteCall', (noted: Noted) => addTo(file, exampleOf(noted)));
    await context.addInitScript(noteRequests);
    return context;
  };
  return browser;
}

function addTo(file: string, example: Example | null) {
  if (example === null) return;
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const known = lines.map((line) => shapeOf(JSON.parse(line) as Example));
  if (!known.includes(shapeOf(example))) appendFileSync(file, `${JSON.stringify(example)}\n`);
}

/** Runs in the page, before its own scripts. */
function noteRequests() {
  interface Sent {
    readonly method: string;
    readonly url: string;
    readonly headers: Record<string, string>;
  }
  const { noteCall } = window as unknown as { noteCall: (noted: Noted) => Promise<void> };
  const partsOf = (body: unknown) => {
    if (typeof body === 'string') return { body: JSON.parse(body) as Record<string, unknown> };
    if (!(body instanceof FormData)) return {};
    const parts = Array.from(body.entries());
    return {
      body: Object.fromEntries(parts.filter(([, value]) => typeof value === 'string')),
      files: parts.flatMap(([field, file]) =>
        file instanceof File ? [{ field, name: file.name, type: file.type }] : [],
      ),
    };
  };
  const note = ({ method, url, headers }: Sent, body: unknown, status: number) => {
    const { pathname: path, searchParams } = new URL(url, location.href);
    const query = Object.fromEntries(searchParams);
    void noteCall({ method, path, query, headers, ...partsOf(body), status });
  };

  const realFetch = window.fetch.bind(window);
  window.fetch = async (input, init = {}) => {
    const response = await realFetch(input, init);
    const headers = Object.fromEntries(new Headers(init.headers));
    const url = input instanceof Request ? input.url : String(input);
    note({ method: init.method ?? 'GET', url, headers }, init.body, response.status);
    return response;
  };

  // Files are sent so.
  window.XMLHttpRequest = class extends XMLHttpRequest {
    sent: Sent = { method: '', url: '', headers: {} };
    override open(method: string, url: string | URL) {
      this.sent = { method, url: String(url), headers: {} };
      super.open(method, url, true);
    }
    override setRequestHeader(name: string, value: string) {
      this.sent.headers[name.toLowerCase()] = value;
      super.setRequestHeader(name, value);
    }
    override send(body?: XMLHttpRequestBodyInit) {
      this.addEventListener('load', () => note(this.sent, body, this.status));
      super.send(body);
    }
  };
}

/** By the name of a field, or of a field of one call. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  'x-access-token': '{token}',
  dataURL: '{picture}',
  start: '{start}',
  end: '{end}',
  doctor: '{doctor}',
  providerId: '{doctor}',
  rescheduleOf: '{appointment}',
  payment_intent_id: '{intent}',
  demographicNo: '{record}',
  email: '{email}',
  recaptcha: '{proof}',
  currentPassword: '{password}',
  'login.password': '{password}',
  'register.email': '{newEmail}',
  'register.emailConfirm': '{newEmail}',
  'confirmEmail.token': '{confirmToken}',
  'confirmEmail.password': '{password}',
  'resetPassword.code': '{resetCode}',
  'validateRecovery.hin': '{card}',
  'validateRecovery.birthYear': '{year}',
  'validateRecovery.birthMonth': '{month}',
  'validateRecovery.birthDay': '{day}',
  'createDemographics.id': '{patient}',
  'findDemographics.id': '{record}',
  'findDemographics.hin': '{card}',
  'findDemographics.year': '{year}',
  'findDemographics.month': '{month}',
  'findDemographics.day': '{day}',
  'cancelAppointment.id': '{appointment}',
  'readMessage.id': '{message}',
  'changeMessage.id': '{message}',
  'readAttachment.id': '{attachment}',
  'getProvider.id': '{doctor}',
};

/** What stands within a text. */
const within = (text: string) =>
  text
    .replace(/^book-[\w-]+$/, '{key}')
    .replace(/\bpi_practice_\w+/, '{intent}')
    .replace(/^(pm_practice_[A-Za-z]+_).*/, '$1{unique}');

function exampleOf({ method, path, status, ...sent }: Noted): Example | null {
  const found = Object.entries(routes).flatMap(([call, [itsMethod, itsPath]]) => {
    const pattern = `^/api${itsPath.replace(/\/$/, '').replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`;
    const match = method === itsMethod ? new RegExp(pattern).exec(path) : null;
    return match ? [{ call, params: { ...match.groups } }] : [];
  });
  const [asked] = found.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  if (asked === undefined || status !== 200) return null;
  const { call, params } = asked;
  const fill = (name: string, value: unknown): unknown => {
    if (value === '' || value === null || value === '-1') return value;
    return (
      STANDS_FOR[`${call}.${name}`] ??
      STANDS_FOR[name] ??
      (typeof value === 'string' ? within(value) : value)
    );
  };
  const example = { call, ...(Object.keys(params).length > 0 && { params }), ...sent };
  return JSON.parse(JSON.stringify(example), fill) as Example;
}

/** The same for two requests of which one is example enough. */
function shapeOf(example: Example): string {
  const kind = (name: string, value: unknown): unknown => {
    if (['call', 'selectedType', 'type', 'kind', 'field'].includes(name)) return value;
    if (typeof value !== 'object' || value === null) return value === '' ? '' : typeof value;
    return Array.isArray(value) ? [...new Set(value.map((each) => JSON.stringify(each)))] : value;
  };
  return JSON.stringify(example, kind);
}
