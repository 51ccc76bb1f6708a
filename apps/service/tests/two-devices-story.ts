import type { ApiHold, ApiMessage, CallId } from '@clinic/contract';
import { addDays, keyOfHold, toClinic, toInstant } from '@clinic/domain';
import { NOW, aMedicalProfile } from '@clinic/domain/testing';
import { expect } from 'vitest';
import { PATIENT_EVENTS } from '../src/database/changes.store.ts';
import { appointments, expireHolds } from '../src/modules/appointments/index.ts';
import { answerMessage } from '../src/modules/messages/index.ts';
import { sweepPayments } from '../src/modules/payments/index.ts';
import { advancePaymentOfIntent } from '../src/modules/payments/webhook.ts';
import { type AskOptions, type TestApp, aPicture, ask, signIn } from '../testing/index.ts';
import { portsOf, practiceCard } from '../testing/paying.ts';
import { type OpenPage, type PatientEvent, haveHeard, openPage, shown } from './open-pages.ts';
import { type Said, type Slot, isTrue, standingIn } from './true-refusals.ts';
import { emrBook } from '../src/modules/emr/index.ts';

export const PROVIDERS = ['101', '102', '103', '104'];
const GROUPS_A_DAY = 16;
export const MOST_DEVICES = 3;
const PRICE = 200;

/** What a device, the clinic, the bank or somebody else does, and how often. */
export const ACTS = {
  // Failing stories are told with this one where it does not matter what is done.
  read: 1,
  hold: 3,
  holdToMove: 2,
  renew: 1,
  draft: 1,
  book: 4,
  charge: 4,
  bank: 2,
  confirm: 1,
  webhook: 1,
  cancel: 2,
  release: 1,
  lapse: 1,
  write: 1,
  edit: 1,
  reply: 1,
  answer: 1,
  upload: 1,
  profile: 1,
  exam: 1,
  signIn: 1,
  signOut: 1,
  rival: 2,
};
export type Act = keyof typeof ACTS;
export interface Doing {
  readonly act: Act;
  readonly who: number;
  readonly n: number;
}
interface Device extends OpenPage {
  readonly shows: Record<PatientEvent, string>;
}

/** The service that the stories are told in, and what they have come to. */
export interface Told {
  readonly clinic: TestApp;
  readonly url: string;
  /** A planted defect: no device is told of this. */
  readonly drops?: PatientEvent;
  groups: number;
  events: number;
  /** How often each call was answered, and refused with each code. */
  readonly heard: Map<string, number>;
}

export class Story {
  readonly in: Told;
  readonly group: number;
  readonly devices: Device[] = [];
  readonly intents: string[] = [];
  readonly id: string;
  /** Of somebody else, who must hear of nothing that is not theirs. */
  readonly rival: OpenPage;

  constructor(told: Told, id: string, rival: OpenPage) {
    this.in = told;
    this.group = told.groups++;
    this.id = id;
    this.rival = rival;
  }

  /** Two days, three times of each kind. */
  slot(n: number): Slot {
    const k = Math.floor(this.group / PROVIDERS.length);
    const day = addDays(toClinic(NOW).date, 3 + 2 * Math.floor(k / GROUPS_A_DAY) + (n % 2));
    const isPaid = Math.floor(n / 2) % 2 === 1;
    const at = ((k % GROUPS_A_DAY) * 3 + (Math.floor(n / 4) % 3)) * 300;
    const start = toInstant(day, isPaid ? '12:00' : '08:00') + at;
    const doctor = PROVIDERS[this.group % PROVIDERS.length] ?? '';
    return { doctor, start, end: start + 300, selectedType: isPaid ? 'V' : 'O' };
  }

  async signIn(): Promise<void> {
    const { clinic, url } = this.in;
    const page = await openPage(url, await signIn(clinic, { id: this.id }));
    const [appointments = '', messages = '', account = ''] = await Promise.all(
      PATIENT_EVENTS.map((event) => shown(clinic, page.token, event)),
    );
    this.devices.push({ ...page, shows: { appointments, messages, account } });
  }

  /** Does what a page would do that shows what the device shows; null where it offers no such thing. */
  async does({ act, who, n }: Doing): Promise<Said | null> {
    const { clinic } = this.in;
    const device = this.devices[who % this.devices.length];
    if (device === undefined) return null;
    const { token } = device;
    const { held, booked } = standingIn(device.shows.appointments);
    const threads = messagesIn(device.shows.messages);
    const thread = threads[n % Math.max(1, threads.length)];
    const key = held && { headers: { 'idempotency-key': keyOfHold(held.id) } };
    const say = async (call: CallId, request: AskOptions, over: Partial<Said> = {}) => {
      const response = await ask(clinic, call, { token, ...request });
      const { extras } = response.json<Pick<Said, 'extras'>>();
      return { call, status: response.statusCode, extras, ...over };
    };
    switch (act) {
      case 'hold': {
        const slot = this.slot(n);
        return say('placeHold', { body: slot }, { slot });
      }
      case 'holdToMove': {
        const appointment = booked[n % Math.max(1, booked.length)];
        if (appointment === undefined) return null;
        const slot = this.slot(n - (n % 4) + (n % 2) + (appointment.code === 'V' ? 2 : 0));
        const body = { ...slot, rescheduleOf: appointment.id };
        return say('placeHold', { body }, { slot, appointment });
      }
      case 'renew': {
        if (held === null) return null;
        const { doctor, start, end, type: selectedType, rescheduleOf } = held;
        const slot = { doctor, start, end, selectedType };
        return say(
          'placeHold',
          { body: { ...slot, rescheduleOf, forPayment: n % 2 === 0 } },
          { slot },
        );
      }
      case 'draft':
        return key && say('saveDraft', { ...key, body: { draft: { reason: `A cough, ${n}` } } });
      case 'book': {
        if (held === null) return this.does({ act: 'hold', who, n: n - (n % 4) });
        if (held.type === 'V' && held.rescheduleOf === null) return null;
        const slot = slotOf(held);
        const moves = { isReschedule: held.rescheduleOf !== null, rescheduleOf: held.rescheduleOf };
        return say(
          'createBooking',
          { ...key, body: { ...slot, ...moves, reason: 'A cough' } },
          { slot },
        );
      }
      case 'charge': {
        if (held === null) return this.does({ act: 'hold', who, n: n - (n % 4) + 2 });
        if (held.type !== 'V' || held.rescheduleOf !== null) return null;
        const slot = slotOf(held);
        const card = practiceCard((['succeeds', 'needsBank', 'declined'] as const)[n % 3]);
        const body = { ...slot, amount: PRICE, reason: 'A cough', payment_method_id: card };
        const response = await ask(clinic, 'charge', { token, ...key, body });
        const { extras, next_action } = response.json<{
          extras: Said['extras'];
          next_action?: { redirect_to_url: { url: string } };
        }>();
        const intent = next_action?.redirect_to_url.url.split('/').at(-1);
        if (intent !== undefined) this.intents.push(intent);
        return { call: 'charge', status: response.statusCode, extras, slot };
      }
      case 'bank':
        await clinic.gateway.decide(this.intents.at(-1) ?? 'none', n % 4 !== 0);
        return null;
      case 'confirm': {
        const intent = this.intents.at(-1);
        return intent === undefined ? null : say('charge', { body: { payment_intent_id: intent } });
      }
      case 'webhook':
        await advancePaymentOfIntent(portsOf(clinic), this.intents.at(-1) ?? 'none');
        return null;
      case 'cancel': {
        const appointment = booked[n % Math.max(1, booked.length)];
        if (appointment === undefined) return null;
        const { id } = appointment;
        return say('cancelAppointment', { params: { id } }, { appointment });
      }
      case 'release':
        return key && say('releaseHold', key);
      case 'lapse':
        for (const each of this.devices) await ask(clinic, 'renewSession', { token: each.token });
        await ask(clinic, 'renewSession', { token: this.rival.token });
        clinic.clock.advance(901);
        await sweepPayments(portsOf(clinic));
        await expireHolds({ ...clinic.platform, appointments, emrBook }, clinic.clock.now());
        return null;
      case 'write': {
        const files = n % 3 === 0 ? { files: [aPicture()] } : {};
        return say('startMessage', { body: { message: `My knee, ${n}` }, ...files });
      }
      case 'edit':
      case 'reply': {
        if (thread === undefined) return null;
        const files = act === 'reply' ? { files: [] } : {};
        return say('changeMessage', {
          params: { id: thread.id },
          body: { message: `It is ${n}` },
          ...files,
        });
      }
      case 'answer': {
        if (thread === undefined) return null;
        const answer = {
          text: `Come, ${n}`,
          files: [],
          staffId: null,
          requestKey: null,
          seen: null,
        };
        const by = { actor: 'clinic:desk', now: clinic.clock.now() };
        await answerMessage(clinic.platform, thread.id, answer, by);
        return null;
      }
      case 'read':
        return thread === undefined ? null : say('readMessage', { params: { id: thread.id } });
      case 'upload': {
        const body = { isHealthCard: n % 2 === 0 ? 'true' : 'false' };
        return say('uploadDocuments', { body, files: [aPicture()] });
      }
      case 'profile': {
        const home = { address: `${n} Main Street`, city: 'Vancouver', province: 'BC' };
        const body = {
          ...home,
          postal: 'V5K 0A1',
          phone: '6045550101',
          sex: 'Other',
          country: 'Canada',
        };
        return say('updateMe', { body });
      }
      case 'exam':
        return say('saveMedicalProfile', {
          body: { eMedProfile: { ...aMedicalProfile(), city: `City ${n}` } },
        });
      case 'signIn':
        if (this.devices.length < MOST_DEVICES) await this.signIn();
        return null;
      case 'signOut': {
        if (this.devices.length < 3) return null;
        const said = await say('logout', {});
        this.devices.splice(this.devices.indexOf(device), 1);
        await device.closed;
        return said;
      }
      case 'rival': {
        const slot = this.slot(n);
        await ask(clinic, 'placeHold', { token: this.rival.token, body: slot });
        return null;
      }
    }
  }

  /** Does the step, lets every device read what it was told of, and compares all with the service. */
  async tell([one, other]: readonly [Doing, Doing | null]): Promise<void> {
    const { clinic } = this.in;
    const before = this.devices[0]?.shows.appointments ?? '';
    // Who signs in or out, and the clock, take no part in two at once.
    const isAlone = ({ act }: Doing) => ['signIn', 'signOut', 'lapse'].includes(act);
    const both = [one, ...(other === null || isAlone(one) || isAlone(other) ? [] : [other])];
    const said = await Promise.all(both.map((each) => this.does(each)));
    await haveHeard(clinic, [...this.devices, this.rival]);
    for (const { shows, token, heard } of this.devices) {
      if (this.in.drops) heard.delete(this.in.drops);
      for (const event of heard) shows[event] = await shown(clinic, token, event);
      this.in.events += heard.size;
      heard.clear();
    }
    const acts = both.map(({ act }) => act);
    if (!acts.some((act) => act === 'rival' || act === 'lapse'))
      isAsExpected(acts, [...this.rival.heard], []);
    this.rival.heard.clear();
    const asks = this.devices[0]?.token ?? '';
    for (const event of PATIENT_EVENTS) {
      const now = await shown(clinic, asks, event);
      for (const { shows } of this.devices) isAsExpected(acts, shows[event], now);
    }
    const after = this.devices[0]?.shows.appointments ?? '';
    for (const each of said) {
      if (each === null) continue;
      const name = `${each.call} ${each.status} ${each.extras?.code ?? ''}`.trim();
      this.in.heard.set(name, (this.in.heard.get(name) ?? 0) + 1);
      if (each.status !== 200) isTrue(each, before, after);
    }
  }
}

const messagesIn = (shows: string) =>
  (JSON.parse(shows) as { messages: readonly ApiMessage[] }).messages;

const slotOf = ({ doctor, start, end, type: selectedType }: ApiHold) => ({
  doctor,
  start,
  end,
  selectedType,
});

function isAsExpected<Found>(acts: readonly Act[], found: Found, expected: Found) {
  expect({ acts, found }).toEqual({ acts, found: expected });
}
