import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { addDays } from '@clinic/domain';
import { Route, Switch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { beforeAll, beforeEach, vi } from 'vitest';
import { BookingPage } from '../features/booking/booking-page.tsx';
import { keepToken } from '../api/access-token.ts';
import { PrivateRoute } from '../shared/session/guarded-routes.tsx';
import { useSessionKeeper } from '../shared/session/session.ts';
import { AlertDialogHost } from '../shared/shell/alert-dialog.tsx';
import {
  aDay,
  bookingClinic,
  CLINIC_NOW,
  TODAY,
  type ClinicFacts,
  type Replies,
} from './booking-clinic.ts';
import { fakeService } from './fake-service.ts';
import { FollowChanges } from './follow-changes.tsx';
import { goBack, renderPage } from './render.tsx';

export const tomorrow = addDays(TODAY, 1);

// What a browser fetches while a patient looks at the times is there from the start.
beforeAll(async () => {
  await Promise.all([
    import('../features/booking/slots/pick-slot.tsx'),
    import('../features/booking/confirm/confirm.tsx'),
    import('../features/booking/payment/payment.tsx'),
    import('../features/booking/booked/booked.tsx'),
  ]);
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: CLINIC_NOW * 1000 });
  URL.createObjectURL = () => 'blob:calendar';
  URL.revokeObjectURL = () => {};
  return () => {
    vi.useRealTimers();
  };
});

/** Stands for the login page: one press signs the same patient in again. */
function BackIn() {
  const again = () => {
    keepToken('another token');
    navigate('/');
  };
  return <button onClick={again}>Log in again</button>;
}

/** Hears from the service that the session is over, as the app does. */
function SessionKeeper() {
  useSessionKeeper();
  return null;
}

/** A signed-in patient on home, at a clinic that answers so; `state` is what led here. */
export async function atHome(
  facts: Partial<ClinicFacts> = {},
  changed: Replies = {},
  state: object | null = null,
) {
  const service = fakeService({ ...bookingClinic(facts), ...changed });
  keepToken('token');
  const { queryClient } = renderPage(
    <>
      <SessionKeeper />
      <FollowChanges />
      <Switch>
        <Route path="/">
          <PrivateRoute>
            <BookingPage />
          </PrivateRoute>
        </Route>
        <Route path="/login">
          <BackIn />
        </Route>
      </Switch>
      <AlertDialogHost />
    </>,
    '/',
    state,
  );
  const person = userEvent.setup();
  const press = async (name: string | RegExp) =>
    person.click(await screen.findByRole('button', { name }));
  const choose = async (name: string | RegExp) =>
    person.click(await screen.findByRole('radio', { name }));
  /** What the browser does: Back is -1, a link is where it leads. */
  const go = (to: number | string, linked: object | null = null) =>
    typeof to === 'number' ? goBack(to) : act(async () => navigate(to, { state: linked }));
  return { service, person, press, choose, go, queryClient };
}

export async function atSlots(facts: Partial<ClinicFacts> = {}, changed: Replies = {}) {
  const home = await atHome(facts, changed);
  await home.choose('In-person visit');
  await home.choose('Earliest available doctor');
  await home.press('Next');
  return home;
}

export async function atConfirm(facts: Partial<ClinicFacts> = {}, changed: Replies = {}) {
  const slots = await atSlots(facts, changed);
  await slots.press(/^09:00/);
  await screen.findByRole('heading', { name: 'Confirm your appointment' });
  return slots;
}

/** A patient who is about to pay for a private appointment. */
export async function atPayment(facts: Partial<ClinicFacts> = {}, changed: Replies = {}) {
  const days = [aDay(tomorrow, { '101': ['09:00', '09:05'] }, 'V')];
  const home = await atHome({ days, ...facts }, changed);
  await home.choose('Private visit');
  await home.choose('Earliest available doctor');
  await home.press('Next');
  await home.press(/^09:00/);
  await home.person.type(await screen.findByRole('textbox'), 'a cough');
  await home.press('Next');
  await home.press('I accept the fee');
  await home.press('Agree');
  await heading('Pay for Appointment');
  return home;
}

/** Types a practice card into the form, and pays. */
export async function payWith({ person, press }: Person, number = '4242424242424242') {
  await person.clear(await screen.findByLabelText('Card number'));
  await person.type(screen.getByLabelText('Card number'), number);
  await person.clear(screen.getByLabelText('Expiry (MM/YY)'));
  await person.type(screen.getByLabelText('Expiry (MM/YY)'), '1230');
  await person.clear(screen.getByLabelText('CVC'));
  await person.type(screen.getByLabelText('CVC'), '123');
  await press('Pay Online');
}

type Person = Pick<Awaited<ReturnType<typeof atHome>>, 'person' | 'press'>;

export const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name });
