import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { QueryClient } from '@tanstack/react-query';
import { Link, Route, Switch } from 'wouter';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { keepToken } from '../../api/access-token.ts';
import { endSession } from '../../shared/session/session.ts';
import { draftOf } from '@clinic/app/drafts';
import type { Store } from '@clinic/app/store';
import { fakeService, refusal, type FakeService } from '../../testing/fake-service.ts';
import { clinicConfig } from '../../testing/people.ts';
import { QuickWorker } from '@clinic/ui/testing/quick-worker';
import { renderPage } from '../../testing/render.tsx';
import { filledSignUp } from '../../testing/sign-up.ts';
import { RegisterPage } from './register-page.tsx';
import { EMPTY_SIGN_UP, type SignUp } from './sign-up-draft.ts';

let service: FakeService;
let sent: unknown;

const done = { success: true, extras: { message: 'Please look in your inbox.' } };

beforeEach(() => {
  Object.assign(globalThis, { Worker: QuickWorker });
  sent = undefined;
  service = fakeService({
    'GET /services/config': () => ({
      body: { success: true, extras: clinicConfig },
      date: 'Sat, 21 Nov 2026 18:00:00 GMT',
    }),
    'GET /captcha/challenge': () => ({ body: { parameters: { algorithm: 'PBKDF2/SHA-256' } } }),
    'GET /pharmacy/all': () => ({ body: [] }),
    'POST /register': ({ body }) => {
      sent = body;
      return { body: { ...done, data: done } };
    },
  });
});

let draft: Store<unknown>;
const typed = () => (draft.get() ?? EMPTY_SIGN_UP) as SignUp;
const typing = (changes: Partial<SignUp> = {}) =>
  act(() => draft.set({ ...filledSignUp, ...changes }));
const captchaDone = () => screen.findByText("Checked: you're not a bot.");
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
async function summary(): Promise<HTMLElement> {
  const title = await screen.findByText('There is a problem');
  return title.closest('div') ?? title;
}
const linesOf = (box: HTMLElement) =>
  within(box)
    .getAllByRole('listitem')
    .map((line) => line.textContent);

async function open(changes?: Partial<SignUp>): Promise<QueryClient> {
  const { queryClient } = renderPage(<RegisterPage />);
  draft = draftOf('signUp');
  await captchaDone();
  if (changes) typing(changes);
  return queryClient;
}

async function openBirthDialog(): Promise<HTMLElement> {
  await press('Sign Up');
  return screen.findByRole('dialog', { name: 'Please check the date of birth' });
}

test('what was typed goes when somebody signs in and out again at the same screen', async () => {
  const queryClient = await open();
  typing();
  keepToken('tok');
  act(() => endSession(queryClient, { why: 'loggedOut' }));
  expect(draft.get()).toBeUndefined();
});

describe('signing up (§2 Sign Up, §5 Sign-up)', () => {
  // Shows: 2.sign-up.1, 2.sign-up.3, 5.sign-up.1, 5.sign-up.8, 7.browser.2
  test('an empty form names every field that is missing, from the top to the end', async () => {
    service.answer('GET /captcha/challenge', () => 'unreachable');
    renderPage(<RegisterPage />);
    await screen.findByText("We couldn't check that you're not a bot.");
    await press('Sign Up');
    const box = await summary();
    expect(linesOf(box)).toEqual([
      'First Name is required',
      'Last Name is required',
      'Gender is required',
      'Date of Birth is required',
      'Address is required',
      'City is required',
      'Province is required',
      'Postal Code is required',
      'Either Mobile Phone, Home Phone or International Phone is required for registration.',
      'Email is required',
      'Confirm Email is required',
      'Password is required',
      'Confirm Password is required',
      'Health Card Province is required',
      'Please mark checkbox below to continue.',
      'Please validate you are not a bot.',
    ]);
    expect(document.activeElement).toBe(box);
    expect(service.calls).not.toContain('POST /register');
  });

  const wrong: readonly (readonly [Partial<SignUp>, string])[] = [
    [{ firstName: 'Anne<b>' }, 'Invalid symbol detected in First Name field'],
    [{ city: 'Van@couver' }, 'Invalid symbol detected in City field'],
    [{ lastName: '\u200B' }, 'Last Name is required'],
    [
      { address: '1 Main\u202E Street' },
      'Address contains a character that cannot be seen. Please type it again instead of pasting it.',
    ],
    [
      { email: 'josé@test.example', emailConfirm: 'josé@test.example' },
      'We cannot send email to an address with accented or non-Latin letters before the @. Please enter another address.',
    ],
    [{ postal: 'V5K#0A1' }, 'Invalid symbol detected in Postal Code field'],
    [{ emailConfirm: 'anna@example.ca' }, 'Email and Confirm Email do not match'],
    [{ passwordConfirm: 'another' }, 'Password and Confirm Password do not match'],
    [
      { healthCardNumberConfirm: '9876543217' },
      'Health Card Number and Confirm Health Card Number do not match',
    ],
    [
      { password: 'seven77', passwordConfirm: 'seven77' },
      'The length of Password must be greater than 8',
    ],
    [
      {
        healthCardProvince: 'AB',
        healthCardNumber: '12345',
        healthCardNumberConfirm: '12345',
      },
      'The length of Health Card Number must be greater than 6',
    ],
    [
      { healthCardNumber: '9876543217', healthCardNumberConfirm: '9876543217' },
      'The BC healthcard number is invalid.',
    ],
    [{ mobilePhone: ['604', '555', '012'] }, 'The Mobile Phone Number you entered is invalid'],
    [{ phone: ['604', '', ''] }, 'The Home Phone Number you entered is invalid.'],
    [{ internationalPhone: '12345678' }, 'The International Phone Number you entered is invalid.'],
    [
      { mobilePhone: ['', '', ''] },
      'Either Mobile Phone, Home Phone or International Phone is required for registration.',
    ],
    [{ birthDate: { day: 30, month: 2, year: 1984 } }, 'Date of Birth is not valid'],
    [{ consent: false }, 'Please mark checkbox below to continue.'],
  ];
  // Shows: 5.formats.4, 5.sign-up.2, 5.sign-up.3, 5.sign-up.4, 5.sign-up.5, 5.sign-up.6,
  // 5.sign-up.7, 5.sign-up.8, R-61
  test.each(wrong)('%j is answered with %j', async (changes, words) => {
    await open(changes);
    await press('Sign Up');
    expect(linesOf(await summary())).toEqual([words]);
    expect(screen.getAllByText(words)).toHaveLength(2);
    expect(service.calls).not.toContain('POST /register');
  });

  test('each line of the summary leads to its field, which says what is wrong', async () => {
    await open({ city: '', mobilePhone: ['', '', ''], gender: '', consent: false });
    await press('Sign Up');
    const links = within(await summary()).getAllByRole('link');
    for (const link of links) {
      await userEvent.click(link);
      const field = document.activeElement;
      expect(field?.getAttribute('aria-invalid') ?? field?.getAttribute('type')).toMatch(
        /true|radio/,
      );
    }
    expect(links).toHaveLength(4);
  });

  // Shows: 5.sign-up.10, R-83
  test('the texts beneath the fields go after ten seconds; marks and summary stay until edited (R-83)', async () => {
    await open({ city: '' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      fireEvent.click(screen.getByRole('button', { name: 'Sign Up' }));
      const city = screen.getByLabelText('City');
      expect(screen.getAllByText('City is required')).toHaveLength(2);
      act(() => void vi.advanceTimersByTime(9_999));
      expect(screen.getAllByText('City is required')).toHaveLength(2);
      act(() => void vi.advanceTimersByTime(1));
      expect(screen.getAllByText('City is required')).toHaveLength(1);
      expect(city.getAttribute('aria-invalid')).toBe('true');
      fireEvent.change(city, { target: { value: 'Surrey' } });
      expect(screen.queryByText('City is required')).toBeNull();
      expect(city.hasAttribute('aria-invalid')).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  // Shows: 2.sign-up.2
  test('the birth date is confirmed with the age; Cancel clears it and leads back to it', async () => {
    await open({});
    const dialog = await openBirthDialog();
    expect(dialog.textContent).toContain('May 17, 1984');
    expect(dialog.textContent).toContain('42 years old');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByLabelText('Day')).toHaveProperty('value', '');
    expect(screen.getByLabelText('Month')).toHaveProperty('value', '');
    expect(screen.getByLabelText('Year')).toHaveProperty('value', '');
    expect(document.activeElement).toBe(screen.getByLabelText('Month'));
    expect(screen.getByLabelText('City')).toHaveProperty('value', 'Vancouver');
    expect(service.calls).not.toContain('POST /register');
  });

  // Shows: 2.sign-up.1, 2.sign-up.4, 3.registration.1, 3.registration.2, 3.phones.1
  test('the payload of §3 is sent, phones in one piece, and the patient is told to confirm', async () => {
    await open({});
    await userEvent.click(within(await openBirthDialog()).getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByRole('heading', { name: 'Please confirm your email' })).toBeTruthy();
    expect(
      screen.getByText(/^We've sent an email to anne@example\.ca\..*valid for 6 hours\.$/),
    ).toBeTruthy();
    const {
      birthDate: _birth,
      preferredPharmacy: _pharmacy,
      consent: _consent,
      ...plain
    } = filledSignUp;
    expect(sent).toEqual({
      ...plain,
      mobilePhone: '6045550123',
      phone: '',
      birthDay: 17,
      birthMonth: 5,
      birthYear: 1984,
      preferredPharmacy: null,
      consent: { given: true, version: '1.0' },
      recaptcha: expect.any(String) as string,
    });
    expect(typed()).toBe(EMPTY_SIGN_UP);
  });

  // Shows: R-104
  test('a consent to a text that has changed meanwhile is given anew, and nothing typed is lost', async () => {
    await open({});
    const own = {
      kind: 'signUp',
      version: '2',
      hash: 'f'.repeat(64),
      texts: [{ locale: 'en', title: 'Our consent', paragraphs: ['I come alone.'] }],
    };
    service.answer('POST /register', () => {
      service.answer('GET /services/config', () => ({
        body: { success: true, extras: { ...clinicConfig, agreements: [own] } },
      }));
      const errors = [{ field: 'consent', message: 'This text has changed.' }];
      return { status: 422, body: refusal('invalidInput', 'Please check.', { errors }) };
    });
    await userEvent.click(within(await openBirthDialog()).getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('I come alone.')).toBeTruthy();
    expect(linesOf(await summary())).toContain('This text has changed.');
    expect(typed()).toEqual({ ...filledSignUp, consent: false });
  });

  const failures = [
    [422, null, 'Registration failed, Please check your input and try again.'],
    [500, null, 'Unknown error occurred, please contact support team.'],
    [0, null, 'Unknown error occurred, please contact support team.'],
    [409, 'Please contact the clinic.', 'Please contact the clinic.'],
  ] as const;
  // Shows: 8.registration.1, text.post-register
  test.each(failures)(
    'a failure with %s and the words %j says %j, and nothing is lost (§8 Registration)',
    async (status, words, said) => {
      service.answer('POST /register', () =>
        status === 0
          ? 'unreachable'
          : { status, body: words === null ? {} : refusal('cardKnown', words) },
      );
      await open({});
      const dialog = await openBirthDialog();
      await userEvent.click(within(dialog).getByRole('button', { name: 'Confirm' }));
      expect(linesOf(await summary())).toEqual([said]);
      expect(typed()).toEqual(filledSignUp);
      await waitFor(() =>
        expect(service.calls.filter((call) => call === 'GET /captcha/challenge')).toHaveLength(2),
      );
    },
  );

  test('what the service says to a field stands at the field', async () => {
    service.answer('POST /register', () => ({
      status: 422,
      body: refusal('invalidInput', 'Please check the highlighted fields and try again.', {
        errors: [{ field: 'birthDay', message: 'Date of Birth is not valid' }],
      }),
    }));
    await open({});
    await userEvent.click(within(await openBirthDialog()).getByRole('button', { name: 'Confirm' }));
    expect(linesOf(await summary())).toEqual([
      'Please check the highlighted fields and try again.',
      'Date of Birth is not valid',
    ]);
    expect(screen.getByLabelText('Day').getAttribute('aria-invalid')).toBe('true');
  });
});

describe('what depends on what (§5 Sign-up, R-63, R-65)', () => {
  // Shows: 5.sign-up.1, 5.sign-up.9
  test('another country than Canada clears the card and asks for none', async () => {
    await open({});
    await userEvent.selectOptions(screen.getByLabelText('Country'), 'France');
    expect(screen.queryByLabelText('Health Card Province')).toBeNull();
    expect(typed()).toMatchObject({
      healthCardProvince: '',
      healthCardNumber: '',
      healthCardNumberConfirm: '',
    });
    await openBirthDialog();
  });

  // Shows: 5.sign-up.1, 5.sign-up.9
  test("'I Do Not Have A Canadian Healthcare Card' clears the number and hides it", async () => {
    await open({});
    await userEvent.selectOptions(
      screen.getByLabelText('Health Card Province'),
      'I Do Not Have A Canadian Healthcare Card',
    );
    expect(screen.queryByLabelText('Health Card Number')).toBeNull();
    expect(typed().healthCardNumber).toBe('');
    await openBirthDialog();
  });

  // Shows: 5.sign-up.9, R-63
  test('a card number takes digits, and letters too where the cards of the province have some', async () => {
    await open({ healthCardNumber: '', healthCardNumberConfirm: '' });
    const number = () => screen.getByLabelText('Health Card Number');
    await userEvent.type(number(), '98a7-6');
    expect(number()).toHaveProperty('value', '9876');
    await userEvent.selectOptions(screen.getByLabelText('Health Card Province'), 'Quebec');
    await userEvent.clear(number());
    await userEvent.type(number(), 'tred 1234');
    expect(number()).toHaveProperty('value', 'TRED1234');
  });

  // Shows: 1.audience.2, 2.sign-up.3, 5.terms.1, R-65
  test('under 19 a representative consents, and an earlier tick does not count for it', async () => {
    await open({});
    expect(screen.getByRole('checkbox')).toHaveProperty('checked', true);
    fireEvent.change(screen.getByLabelText('Year'), { target: { value: '2012' } });
    expect(screen.getByText(/^This person is under 19\./)).toBeTruthy();
    const box = screen.getByRole('checkbox', {
      name: /^I am the parent, guardian or other authorized representative/,
    });
    expect(box).toHaveProperty('checked', false);
  });

  // Shows: 3.registration.2, 5.sign-up.6, 5.sign-up.9
  test('a phone number moves on from part to part, and a whole one may be pasted', async () => {
    await open({ mobilePhone: ['', '', ''] });
    const mobile = within(screen.getByRole('group', { name: 'Mobile Phone' }));
    const [area, exchange, line] = [
      mobile.getByLabelText('Area code'),
      mobile.getByLabelText('Next 3'),
      mobile.getByLabelText('Last 4'),
    ];
    await userEvent.click(area);
    await userEvent.keyboard('60a45550123');
    expect(typed().mobilePhone).toEqual(['604', '555', '0123']);
    expect(document.activeElement).toBe(line);
    await userEvent.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}{Backspace}');
    expect(document.activeElement).toBe(exchange);
    await userEvent.click(area);
    await userEvent.paste('+1 (778) 555-0199');
    expect(typed().mobilePhone).toEqual(['778', '555', '0199']);
  });

  test.each([
    ['+1 (778) 555-0199', ['778', '555', '0199']],
    ['1 778 555 0199', ['778', '555', '0199']],
    ['+44 7911 123456', ['+44 7911 123456', '', '']],
    ['778-555-0199 ext. 4', ['778-555-0199 ext. 4', '', '']],
    ['0000000000', ['0000000000', '', '']],
  ])(
    'a phone pasted as %j is understood whole, or stands there as it is',
    async (pasted, parts) => {
      await open({ mobilePhone: ['', '', ''] });
      const mobile = within(screen.getByRole('group', { name: 'Mobile Phone' }));
      await userEvent.click(mobile.getByLabelText('Area code'));
      await userEvent.paste(pasted);
      expect(typed().mobilePhone).toEqual(parts);
    },
  );

  test('a country code typed before an area code is no area code', async () => {
    await open({ mobilePhone: ['', '', ''] });
    const mobile = within(screen.getByRole('group', { name: 'Mobile Phone' }));
    for (const keys of ['16045550123', '+1 604 555 0123']) {
      for (const part of ['Area code', 'Next 3', 'Last 4'])
        await userEvent.clear(mobile.getByLabelText(part));
      await userEvent.click(mobile.getByLabelText('Area code'));
      await userEvent.keyboard(keys);
      expect(typed().mobilePhone).toEqual(['604', '555', '0123']);
    }
  });

  test('a card number pasted with letters stands there as it is', async () => {
    await open({ healthCardProvince: 'AB', healthCardNumber: '', healthCardNumberConfirm: '' });
    await userEvent.click(screen.getByLabelText('Health Card Number'));
    await userEvent.paste('12345-678O');
    expect(typed().healthCardNumber).toBe('12345-678O');
  });

  test('what was typed is there again after a look at another page', async () => {
    renderPage(
      <>
        <Link to="/walkin">Walk-in hours</Link>
        <Link to="/">Sign Up</Link>
        <Switch>
          <Route path="/">
            <RegisterPage />
          </Route>
          <Route path="/walkin">
            <p>Hours</p>
          </Route>
        </Switch>
      </>,
    );
    await userEvent.type(screen.getByLabelText('City'), 'Surrey');
    await userEvent.click(screen.getByRole('link', { name: 'Walk-in hours' }));
    await userEvent.click(screen.getByRole('link', { name: 'Sign Up' }));
    expect(screen.getByLabelText('City')).toHaveProperty('value', 'Surrey');
  });
});
