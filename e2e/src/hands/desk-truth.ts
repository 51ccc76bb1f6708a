import type {
  ApiClosing,
  ApiClosingEntry,
  ApiDaySheet,
  ApiDeskThread,
  ApiInboxMessage,
  ApiMoneyRow,
  ApiSavedReply,
  ApiTrailEntry,
} from '@clinic/contract';
import { addDays } from '@clinic/domain';
import type { Page, Response } from '@playwright/test';

import { advanceClock } from '../clinic-process.ts';

/** The first day of the stories, and how many are read. */
export const TODAY = '2026-11-21';
export const DAYS = 2;

/** All that hands can change at the front desk. */
export interface DeskTruth {
  /** 'patient provider start attendance fee' of every appointment of the days. */
  readonly appointments: readonly string[];
  /** 'id state assignee texts notes' of the messages that are written to, and the rows of the others. */
  readonly messages: readonly string[];
  /** 'state cents patient' of every payment of the days: one that was taken at the clinic has the id of its appointment, which a move changes. */
  readonly money: readonly string[];
  /** 'from to', and whether it was opened again. */
  readonly closings: readonly string[];
  /** The codes of a week of each provider. */
  readonly weeks: Readonly<Record<string, readonly string[]>>;
  readonly replies: readonly string[];
  /** 'email standing' of every colleague. */
  readonly staff: readonly string[];
  readonly isOffline: boolean;
  /** Changes that the service has taken of this browser, by their call, where nothing above shows them. */
  readonly taken: Readonly<Record<string, number>>;
  /** 'to: subject' of every email. */
  readonly mails: readonly string[];
  /** What came of calling whom a closing has cancelled. */
  readonly calls: readonly string[];
  /** What colleagues have done, as the trail calls it; looks are not among it. */
  readonly trail: readonly string[];
}

/** An appointment as the sheet shows it. */
export type Shown = ApiDaySheet['providers'][number]['appointments'][number] & {
  readonly providerId: string;
  readonly date: string;
};

/** The service, asked as the signed-in colleague asks it, beside every page. */
export interface Desk {
  readonly read: () => Promise<DeskTruth>;
  readonly sheet: () => Promise<readonly Shown[]>;
  /** The messages that are written to. */
  readonly writtenTo: () => Promise<readonly ApiInboxMessage[]>;
  readonly thread: (id: string) => Promise<ApiDeskThread>;
  readonly closings: () => Promise<readonly ApiClosing[]>;
  readonly mails: () => Promise<readonly string[]>;
  /** Has the time pass for which emails and refunds of the desk wait. */
  readonly settle: () => Promise<void>;
}

export const lineOf = (
  { patient, providerId, start, attendance, fee }: Shown,
  changed: Partial<Pick<Shown, 'providerId' | 'start' | 'attendance' | 'fee'>> = {},
): string =>
  [
    patient,
    changed.providerId ?? providerId,
    changed.start ?? start,
    changed.attendance ?? attendance,
    changed.fee ?? fee,
  ].join(' | ');

/** Calls that change what only their own page shows. */
const TAKEN =
  /\/desk\/(patient\/[^/]+\/block|maintenance|patients|staff\/[^/]+\/|texts|table|merge)/;
/** What changes nothing, and what only comes with an act. */
const LOOK =
  /(shown|foreseen|listed|searched|chosen|begun at the desk|reconciled|exported|signed in|screen locked|screen opened|refused|overridden)$|^(patient|appointment|document|attachment) opened$|^(message|suggestion) read$/;
/** So long emails and refunds of the desk wait, and a moment. */
const WAIT_SECONDS = 31;
/** So many messages are written to. */
const WRITTEN_TO = 2;

interface Read {
  /** Whose weeks are read. */
  readonly providers: readonly string[];
  /** The closing whose calls are read. */
  readonly closingId: string;
  /** The pages of colleagues beside the manager's. */
  readonly others?: readonly Page[];
}

/** What the service says to the manager who is signed in at a page. */
export function deskOf(page: Page, { providers, closingId, others = [] }: Read): Desk {
  const { origin } = new URL(page.url());
  const taken: Record<string, number> = {};
  const hear = (answer: Response) => {
    const { pathname } = new URL(answer.url());
    const isLook = /(export|import|waiting|find|likely|foresee|foresee\/patients)$/.test(pathname);
    if (!answer.ok() || answer.request().method() === 'GET' || isLook) return;
    if (TAKEN.test(pathname)) taken[pathname] = (taken[pathname] ?? 0) + 1;
  };
  for (const each of [page, ...others]) each.on('response', hear);
  const ask = async <T>(path: string, data?: object): Promise<T> => {
    const cookies = await page.context().cookies(origin);
    const answer = await fetch(`${origin}/api/desk/${path}`, {
      headers: {
        'x-background': '1',
        origin,
        cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        ...(data && { 'content-type': 'application/json' }),
      },
      ...(data && { method: 'POST', body: JSON.stringify(data) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return ((await answer.json()) as { extras: T }).extras;
  };
  let written: readonly string[] | undefined;
  const sheet = async () => {
    const days = await Promise.all(
      Array.from({ length: DAYS }, (_, at) => ask<ApiDaySheet>(`day/${addDays(TODAY, at)}`)),
    );
    return days.flatMap(({ date, providers: columns }) =>
      columns.flatMap(({ id, appointments }) =>
        appointments.map((each) => ({ ...each, providerId: id, date })),
      ),
    );
  };
  const inbox = async () => {
    const { waiting, settled } = await ask<{
      waiting: ApiInboxMessage[];
      settled: ApiInboxMessage[];
    }>('messages');
    const all = [...waiting, ...settled];
    written ??= all.slice(0, WRITTEN_TO).map(({ id }) => id);
    return all;
  };
  const isWritten = ({ id }: { readonly id: string }) => written?.includes(id) === true;
  const thread = async (id: string) =>
    (await ask<{ message: ApiDeskThread }>(`messages/${id}/open`, {})).message;
  const closings = async () => (await ask<{ closings: ApiClosing[] }>('closings')).closings;
  const mails = async () => {
    const all = await (await fetch(`${origin}/practice/mail`)).text();
    return all
      .split('<article>')
      .slice(1)
      .map((each) => {
        const [, to = ''] = /To ([^,<]+),/.exec(each) ?? [];
        const [, subject = ''] = /<h2>(.*?)(?: - [^<]*)?<\/h2>/.exec(each) ?? [];
        return `${to}: ${subject}`;
      })
      .toSorted();
  };
  const calls = async () => {
    const { entries } = await ask<{ entries: ApiClosingEntry[] }>(`closings/${closingId}`);
    return entries.flatMap((entry) =>
      entry.calls.map(({ outcome, takenBack }) =>
        takenBack === null ? outcome : `${outcome}, taken back`,
      ),
    );
  };
  /** What was read of the trail, the newest first. */
  let trail: readonly ApiTrailEntry[] = [];
  const acts = async () => {
    const known = trail[0]?.id ?? 0;
    let more: ApiTrailEntry[] = [];
    for (let after: string | null | undefined; after !== null;) {
      const listed = await ask<{ entries: ApiTrailEntry[]; next: string | null }>('audit', {
        from: TODAY,
        ...(after !== undefined && { after }),
      });
      more = [...more, ...listed.entries.filter(({ id }) => id > known)];
      after = listed.entries.some(({ id }) => id <= known) ? null : listed.next;
    }
    trail = [...more, ...trail];
    return trail.flatMap(({ actor, action }) =>
      actor.kind === 'staff' && !LOOK.test(action) ? [action] : [],
    );
  };
  const settle = async () => void (await advanceClock(origin, WAIT_SECONDS));
  const read = async (): Promise<DeskTruth> => {
    const [shown, listed, { rows }, closed, { replies }, { staff }, { maintenance }, sent] =
      await Promise.all([
        sheet(),
        inbox(),
        ask<{ rows: ApiMoneyRow[] }>(`money?from=${TODAY}&to=${addDays(TODAY, DAYS)}`),
        closings(),
        ask<{ replies: ApiSavedReply[] }>('saved-replies'),
        ask<{ staff: { email: string; standing: string }[] }>('staff'),
        ask<{ maintenance: object | null }>('set-up'),
        mails(),
      ]);
    const [called, done] = [await calls(), await acts()];
    const threads = await Promise.all(listed.filter(isWritten).map(({ id }) => thread(id)));
    const weeks = await Promise.all(
      providers.map(
        async (id) =>
          [id, (await ask<{ week: string[] }>(`weeks/${id}?on=${TODAY}`)).week] as const,
      ),
    );
    return {
      appointments: shown.map((each) => lineOf(each)).toSorted(),
      messages: [
        ...threads.map((each) =>
          messageLine({ ...each, assignedTo: each.assignedTo?.name ?? null }),
        ),
        ...listed.filter((each) => !isWritten(each)).map((each) => JSON.stringify(each)),
      ].toSorted(),
      money: rows.map(({ state, cents, patient }) => `${state} ${cents} ${patient}`).toSorted(),
      closings: closed.map((each) => closingLine(each)).toSorted(),
      weeks: Object.fromEntries(weeks),
      replies: replies.map(({ name, text }) => `${name}: ${text}`).toSorted(),
      staff: staff.map(({ email, standing }) => `${email} ${standing}`).toSorted(),
      isOffline: maintenance !== null,
      taken: { ...taken },
      mails: sent,
      calls: called.toSorted(),
      trail: done.toSorted(),
    };
  };
  const writtenTo = async () => (await inbox()).filter(isWritten);
  return { read, sheet, writtenTo, thread, closings, mails, settle };
}

interface MessageLine extends Pick<ApiDeskThread, 'id' | 'state'> {
  readonly assignedTo: string | null;
  readonly entries: readonly { readonly message: string }[];
  readonly notes: readonly { readonly text: string }[];
}

export const messageLine = ({ id, state, assignedTo, entries, notes }: MessageLine): string =>
  JSON.stringify([
    id,
    state,
    assignedTo,
    entries.map(({ message }) => message),
    notes.map(({ text }) => text),
  ]);

export const closingLine = ({
  from,
  to,
  reopened,
}: Pick<ApiClosing, 'from' | 'to'> & { readonly reopened: object | null }): string =>
  `${from} ${to} ${reopened === null ? 'closed' : 'opened again'}`;
