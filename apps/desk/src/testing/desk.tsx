import '@clinic/ui/testing/jsdom-gaps';
import {
  type AnyCall,
  type ApiRefusal,
  type CallAnswer,
  type DeskCallId,
  deskCalls,
} from '@clinic/contract';
import { deskRoutes } from '@clinic/contract/desk-routes';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach, beforeAll } from 'vitest';
import { queryClient, sessionQuery } from '../shared/api.ts';
import { App, InvitationPage, SignedIn } from '../app/app.tsx';
import { listenThrough } from '../app/live.ts';
import { OtherPage } from '../app/pages-to-come.tsx';
import { AppointmentPanel, KeysHelp } from '../features/day/parts-later.tsx';
import { BOOKING } from '../shared/booking/dialogs.tsx';

/** Monday, 2026-11-23, 10:00 at the clinic. */
export const NOW = Date.UTC(2026, 10, 23, 17) / 1000;

/** A record without an account, as the service opens it. */
export const casey: CallAnswer<'deskOpenPatient'>['extras'] = {
  recordId: '5001',
  firstName: 'Casey',
  lastName: 'Morgan',
  birthDate: '1984-05-17',
  version: 'first',
  age: 42,
  card: { province: 'BC', isKept: true },
  account: null,
  provider: null,
  isProviderKnown: true,
  isInEmr: false,
  types: [],
  providers: [],
  appointments: [],
  consents: [],
  documents: [],
  link: null,
  addressChange: null,
  merges: [],
};

/** The session of a manager. */
export const managerSession = {
  name: 'Morgan Hale',
  roles: ['manager' as const],
  isLocked: false,
  locksAt: NOW + 900,
  endsAt: NOW + 43_200,
};

interface Request {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly headers: Headers;
}

/** What the service says no with. */
class Refused {
  readonly code: string;
  readonly message: string;
  readonly errors: ApiRefusal['errors'];
  constructor(code: string, message: string, errors: ApiRefusal['errors']) {
    this.code = code;
    this.message = message;
    this.errors = errors;
  }
}
export const refused = (code: string, message = code, errors?: ApiRefusal['errors']) =>
  new Refused(code, message, errors);

/** The status of a code; of the others it is 409. */
const STATUSES: Readonly<Record<string, number>> = {
  deskSignedOut: 401,
  deskLocked: 403,
  notAllowed: 403,
  factorNeeded: 403,
  tooManyRequests: 429,
  bug: 500,
  serviceBusy: 503,
};

type Extras<Id extends DeskCallId> =
  CallAnswer<Id> extends { extras: infer Answered }
    ? Answered
    : CallAnswer<Id> extends { extras?: infer Answered }
      ? unknown extends Answered
        ? void
        : Answered | void
      : void;
export type Handlers = {
  [Id in DeskCallId]?: (request: Request) => Extras<Id> | Refused | Promise<Extras<Id> | Refused>;
};

const routes = (Object.keys(deskRoutes) as DeskCallId[]).map((id) => {
  const [method, path] = deskRoutes[id];
  const pattern = new RegExp(`^/api${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
  return { id, method, pattern };
});

const listeners = new Set<Parameters<Parameters<typeof listenThrough>[0]>[0]>();
listenThrough((listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
});

/** What the service says of its own accord: something of the desk changed. */
export const deskChanges = () =>
  act(() => {
    for (const { onChange } of listeners) onChange();
  });

/** How many listen to what the service says. */
export const deskListeners = () => listeners.size;

/** The connection on which the service says it stands, fails or is refused. */
export const deskConnection = (becomes: 'open' | 'lost' | 'refused') =>
  act(() => {
    for (const { onConnection } of listeners)
      onConnection(becomes === 'open', becomes === 'refused');
  });

const realFetch = globalThis.fetch;
// As on a page that has stood for a moment.
beforeAll(() =>
  Promise.all(
    [InvitationPage, SignedIn, OtherPage, AppointmentPanel, KeysHelp, ...BOOKING].map((each) =>
      each.bring(),
    ),
  ),
);
afterEach(() => {
  cleanup();
  queryClient.clear();
  globalThis.fetch = realFetch;
});

export interface Desk {
  readonly user: UserEvent;
  /** The bodies of a call, in their order. */
  readonly sent: (id: DeskCallId) => unknown[];
  readonly lock: () => Promise<void>;
  /** For a quarter of an hour. */
  readonly leaveAlone: () => Promise<void>;
  readonly unlock: () => Promise<void>;
}

/**
 * The front desk in a browser, at a path of its own, as a manager sees it. Requests and answers go
 * through the contract's schemas; what has no answer here is refused.
 */
export function openDesk(path: string, handlers: Handlers = {}): Desk {
  const calls: { readonly id: DeskCallId; readonly body: unknown }[] = [];
  let isLocked = false;
  let isSignedIn = true;
  const session = () => ({ ...managerSession, isLocked });
  const known: Handlers = {
    deskSession: () => (isSignedIn ? session() : refused('deskSignedOut')),
    deskLock: () => {
      isLocked = true;
    },
    deskUnlock: () => {
      isLocked = false;
      return session();
    },
    deskSignOut: () => {
      isSignedIn = false;
      isLocked = false;
    },
    deskSignIn: () => {
      isSignedIn = true;
      return session();
    },
    deskMessageCounts: () => ({ waiting: 0, unread: 0 }),
    deskWaiting: () => ({ acts: [], gone: [] }),
    deskEmr: () => ({ emr: null }),
    ...handlers,
  };
  globalThis.fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, 'http://clinic.test');
    const route = routes.find(
      ({ method, pattern }) => method === (init.method ?? 'GET') && pattern.test(url.pathname),
    );
    if (route === undefined) throw new TypeError(`No call has the path ${url.pathname}`);
    const { id, pattern } = route;
    const shape: AnyCall = deskCalls[id];
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    if (shape.body !== undefined) shape.body.parse(body);
    calls.push({ id, body });
    const params = { ...pattern.exec(url.pathname)?.groups };
    const answered: unknown = await known[id]?.({
      params,
      query: url.searchParams,
      body,
      headers: new Headers(init.headers),
    });
    if (answered instanceof Response) return answered;
    const isRefused = known[id] === undefined || answered instanceof Refused;
    const { code, message, errors } = answered instanceof Refused ? answered : refused('notFound');
    return Response.json(
      isRefused
        ? { success: false, extras: { code, message }, errors }
        : shape.answer.parse({
            success: true,
            ...(answered === undefined ? {} : { extras: answered }),
          }),
      {
        status: isRefused ? (STATUSES[code] ?? 409) : 200,
        headers: { date: new Date(NOW * 1000).toUTCString() },
      },
    );
  };
  history.pushState(null, '', `/desk${path}`);
  render(<App />);
  const user = userEvent.setup({ delay: null });
  return {
    user,
    sent: (id: DeskCallId) => calls.filter((each) => each.id === id).map(({ body }) => body),
    lock: async () => {
      await user.click(await screen.findByRole('button', { name: 'Lock' }));
      await screen.findByRole('heading', { name: 'The screen is locked' });
    },
    leaveAlone: async () => {
      isLocked = true;
      await act(() => queryClient.invalidateQueries(sessionQuery));
      await screen.findByRole('heading', { name: 'The screen is locked' });
    },
    unlock: async () => {
      await user.type(screen.getByLabelText('Your password or a new code'), 'secret');
      await user.click(screen.getByRole('button', { name: 'Open' }));
    },
  };
}
