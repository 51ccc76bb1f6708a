import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ApiUser, CallAnswer } from '@clinic/contract';
import { Link, Route, Switch } from 'wouter';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accessToken, dropToken, keepToken } from '../../api/access-token.ts';
import { endSession } from '../../shared/session/session.ts';
import { PrivateRoute, UpToDateRoute } from '../../shared/session/guarded-routes.tsx';
import { AlertStack, clearAlerts } from '../../shared/shell/alerts.tsx';
import { liveSays } from '../../testing/fake-live.ts';
import { fakeService, refusal, type FakeService } from '../../testing/fake-service.ts';
import { FollowChanges } from '../../testing/follow-changes.tsx';
import { casey, clinicConfig } from '../../testing/people.ts';
import { renderPage } from '../../testing/render.tsx';
import { AccountPage } from './account-page.tsx';

const EMPTY = 'Highlighted input field cannot be empty';
let service: FakeService;
let sent: Record<string, unknown>[];
/** The fields that the last update named as changed. */
let changedFields: string | null;
/** What it was made of. */
let formVersion: string | null;
let patient: ApiUser;
let documents: CallAnswer<'shouldUploadDocument'>;

beforeEach(() => {
  dropToken();
  keepToken('tok');
  sent = [];
  patient = casey;
  documents = { success: true, healthcardUploaded: true, pictureIdUploaded: true };
  const takes = ({ body, headers }: { body: unknown; headers: Headers }) => {
    sent.push(body as Record<string, unknown>);
    changedFields = headers.get('x-changed');
    formVersion = headers.get('x-form-version');
    const { mobile, ...said } = body as Record<string, string>;
    patient = { ...patient, ...said, mobilePhone: mobile ?? patient.mobilePhone };
    return { body: { ...patient, shouldUpdate: false } };
  };
  service = fakeService({
    'GET /services/config': () => ({ body: { success: true, extras: clinicConfig } }),
    'GET /me': () => ({ body: patient }),
    'POST /me': takes,
    'POST /me/shouldupdate': takes,
    'POST /logout': () => ({ body: { success: true } }),
    'GET /pharmacy/all': () => ({ body: [] }),
    'GET /me/should-upload-document': () => ({ body: documents }),
    'GET /me/sessions': () => ({ body: { success: true, extras: { sessions: [] } } }),
  });
});
afterEach(() => act(clearAlerts));

async function atAccount(over: Partial<ApiUser> = {}, path = '/account') {
  patient = { ...casey, ...over };
  const view = renderPage(
    <>
      <FollowChanges />
      <AlertStack />
      <Link to="/appointments">My Appointments</Link>
      <Link to="/account">My Account</Link>
      <Switch>
        <Route path="/">
          <PrivateRoute>
            <UpToDateRoute>
              <h1>Home</h1>
            </UpToDateRoute>
          </PrivateRoute>
        </Route>
        <Route path="/appointments">
          <PrivateRoute>
            <UpToDateRoute>
              <h1>Visits</h1>
            </UpToDateRoute>
          </PrivateRoute>
        </Route>
        <Route path="/account">
          <PrivateRoute>
            <AccountPage />
          </PrivateRoute>
        </Route>
        <Route path="/login">
          <h1>Log in</h1>
        </Route>
      </Switch>
    </>,
    path,
  );
  await screen.findByRole('heading', { name: 'My Account' });
  return view;
}
const person = userEvent.setup();
const press = (name: string) => person.click(screen.getByRole('button', { name }));
const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
async function retype(name: RegExp, text: string) {
  await person.clear(field(name));
  if (text !== '') await person.type(field(name), text);
}
const summary = async () => (await screen.findByRole('alert')).textContent;

describe('The profile (§2 My Account, §5 Account edit)', () => {
  // Shows: 2.account.3, 6.account.1
  test('is shown, with what only the clinic changes and how', async () => {
    await atAccount();
    expect(screen.getByText('Casey Morgan')).toBeTruthy();
    expect(screen.getByText('May 17, 1984')).toBeTruthy();
    expect(screen.getByText('casey@practice.example')).toBeTruthy();
    expect(screen.getByText('9876543218 (British Columbia)')).toBeTruthy();
    expect(screen.getByText(/come in person and bring a photo ID/)).toBeTruthy();
    await press('Edit');
    for (const only of [/^Name/, /Birth/, /Email/, /Health Card/])
      expect(screen.queryByRole('textbox', { name: only })).toBeNull();
  });

  test('says since when our emails do not reach somebody, and what to do', async () => {
    await atAccount({ emailReturnedAt: 1_797_364_800 });
    const { textContent } = screen.getByRole('note');
    expect(textContent).toContain("Our emails don't reach you");
    expect(textContent).toMatch(/to casey@practice\.example came back on December 15, 2026\./);
    expect(textContent).toContain('Your appointments stand');
    expect(textContent).toContain('select Forgot Password');
    await press('Edit');
  });

  test('says nothing of emails as long as none came back', async () => {
    await atAccount({ emailReturnedAt: null });
    expect(screen.queryByText("Our emails don't reach you")).toBeNull();
    await press('Edit');
  });

  test('says why the card is masked, and until when', async () => {
    const careCard = { number: '*******218', province: 'BC' };
    await atAccount({ careCard, watched: { until: 1_797_364_800 } });
    const { textContent } = screen.getByRole('note');
    expect(textContent).toContain('Your account is protected for now');
    expect(textContent).toMatch(/Until Tue Dec 15 2026 \d\d:\d\d we show only the last characters/);
    expect(textContent).toContain('Booking and My Appointments work as always');
    expect(screen.getByText('*******218 (British Columbia)')).toBeTruthy();
    await press('Edit');
  });

  test('says that the clinic decides how long the card is masked, where its address was stopped', async () => {
    await atAccount({ watched: { until: null } });
    expect(screen.getByRole('note').textContent).toMatch(/Until the clinic has decided, we show/);
    await press('Edit');
  });

  test('says which document the clinic refused, in its words, and when it is asked for', async () => {
    const reason = 'The number on it cannot be read.';
    documents = {
      ...documents,
      healthcardUploaded: false,
      refused: [{ document: 'healthCard', reason, at: 1_797_364_800 }],
    };
    await atAccount();
    const { textContent } = await screen.findByRole('note');
    expect(textContent).toContain(`Your health card: ${reason}`);
    expect(textContent).toContain('We ask for it again when you book one that needs it.');
  });

  test.each([
    ['+1 604-555-0188', '604-555-0188', null],
    ['1 (604) 555-0188', '604-555-0188', null],
    ['16045550188', '604-555-0188', null],
    ['+44 7911 123456', '+44 7911 123456', /not a number of Canada or the United States/],
    ['604-555-0188 ext. 4567 890', '604-555-0188 ext. 4567 890', /without an extension/],
    ['0000000000', '0000000000', /Number you entered is invalid/],
  ])(
    'a phone pasted as %j stands there whole, and is saved or refused',
    async (pasted, shown, why) => {
      await atAccount();
      await press('Edit');
      await person.clear(field(/^Mobile Phone/));
      await person.paste(pasted);
      expect(field(/^Mobile Phone/).value).toBe(shown);
      await press('Update');
      if (why === null)
        expect(await screen.findByText('User info updated successfully')).toBeTruthy();
      else expect(await summary()).toMatch(why);
      expect(sent.length).toBe(why === null ? 1 : 0);
    },
  );

  test('a kept phone that cannot be right does not keep the address from being saved', async () => {
    await atAccount({ mobilePhone: '0000000000', internationalPhone: '02079' });
    await press('Edit');
    await retype(/^Address/, '9 Water Street');
    await press('Update');
    expect(await screen.findByText('User info updated successfully')).toBeTruthy();
    expect(sent).toMatchObject([{ address: '9 Water Street', mobile: '0000000000' }]);
  });

  test('a number of another country stands with its +', async () => {
    const e164 = { phone: null, mobilePhone: null, internationalPhone: '+442079460958' };
    await atAccount({ internationalPhone: '442079460958', e164 });
    expect(screen.getByText('+442079460958')).toBeTruthy();
    await press('Edit');
    expect(field(/^International Phone/).value).toBe('+442079460958');
  });

  // Shows: 1.can.5, 2.account.1, 3.gender.1, 4.account.1, 5.formats.2
  test('is edited and updated, phones with their dashes by themselves', async () => {
    await atAccount();
    await press('Edit');
    expect(document.activeElement?.textContent).toBe('Your information');
    await retype(/^Address/, '9 Water Street');
    await retype(/^Home Phone/, '6045550199');
    expect(field(/^Home Phone/).value).toBe('604-555-0199');
    expect(
      within(screen.getByLabelText('Gender'))
        .getAllByRole('option')
        .map((each) => each.textContent),
    ).toEqual(['Male', 'Female', 'Transgendered', 'Other']);
    await person.selectOptions(screen.getByLabelText('Gender'), 'Transgendered');
    await press('Update');
    expect(await screen.findByText('User info updated successfully')).toBeTruthy();
    expect(sent).toEqual([
      {
        firstName: 'Casey',
        lastName: 'Morgan',
        address: '9 Water Street',
        city: 'Vancouver',
        province: 'BC',
        postal: 'V5K 0A1',
        country: 'Canada',
        phone: '604-555-0199',
        mobile: '604-555-0123',
        internationalPhone: '',
        birthYear: 1984,
        birthMonth: 5,
        birthDay: 17,
        sex: 'Transgendered',
        shouldUpdate: false,
      },
    ]);
    expect(changedFields).toBe('address,sex,phone');
    expect(screen.getByText('9 Water Street')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Edit' })).toBeTruthy();
  });

  // Shows: 2.account.1
  test('is left as it was by Cancel', async () => {
    await atAccount();
    await press('Edit');
    await retype(/^City/, 'Burnaby');
    await press('Cancel');
    expect(screen.getByText('Vancouver')).toBeTruthy();
    await press('Edit');
    expect(field(/^City/).value).toBe('Vancouver');
    expect(sent).toEqual([]);
  });

  // Shows: 5.account.1, 5.account.2
  test.each([
    [/^Address/, '', EMPTY],
    [/^City/, ' ', EMPTY],
    [/^Postal Code/, '', EMPTY],
    [/^City/, 'Van<couver', 'Invalid symbol detected in City field'],
    [/^Mobile Phone/, '604555', 'The Mobile Phone Number you entered is invalid'],
    [/^Home Phone/, '1', 'The Home Phone Number you entered is invalid.'],
    [/^International Phone/, '+44 20', 'The International Phone Number you entered is invalid.'],
    [/^Mobile Phone/, '', 'Please enter at least one phone number.'],
  ])('with %s %j is not sent: %s', async (name, typed, message) => {
    await atAccount();
    await press('Edit');
    await retype(name, typed);
    await press('Update');
    expect(await summary()).toContain(message);
    expect(field(name).getAttribute('aria-invalid')).toBe('true');
    expect(sent).toEqual([]);
  });

  // Shows: 5.account.3
  test('with a province that is none of the list asks for one', async () => {
    await atAccount({ province: 'Cascadia' });
    await press('Edit');
    await press('Update');
    expect(await summary()).toContain('Please choose a Province from the drop down menu');
    await person.selectOptions(screen.getByLabelText('Province'), 'Yukon');
    await press('Update');
    expect(await screen.findByText('User info updated successfully')).toBeTruthy();
    expect(sent[0]?.province).toBe('YT');
  });

  // Shows: 8.account.1, text.post-me-post-me-shouldupdate
  test('that the service refuses says its words at the field, else those of §8', async () => {
    await atAccount();
    await press('Edit');
    service.answer('POST /me', () => ({ status: 500, body: {} }));
    await press('Update');
    expect(await summary()).toContain('Server error occured.');
    service.answer('POST /me', () => 'unreachable');
    await press('Update');
    expect(await summary()).toContain('Server error occured.');
    service.answer('POST /me', () => ({
      status: 422,
      body: refusal('invalidInput', 'x', { errors: [{ field: 'mobile', message: 'Not this.' }] }),
    }));
    await press('Update');
    await waitFor(async () => expect(await summary()).toContain('Not this.'));
    expect(field(/^Mobile Phone/).getAttribute('aria-invalid')).toBe('true');
  });
});

test('each line of the summary says which field it leads to', async () => {
  await atAccount();
  await press('Edit');
  await retype(/^Address/, '');
  await retype(/^City/, '');
  await press('Update');
  const links = within(await screen.findByRole('alert')).getAllByRole('link');
  expect(links.map((line) => line.textContent)).toEqual([`Address: ${EMPTY}`, `City: ${EMPTY}`]);
});

describe('Unsaved changes', () => {
  test('are not lost by a stray press on a link', async () => {
    await atAccount();
    await press('Edit');
    await retype(/^City/, 'Burnaby');
    await person.click(screen.getByRole('link', { name: 'My Appointments' }));
    expect(screen.getByRole('alertdialog', { name: 'Leave without saving?' })).toBeTruthy();
    await press('Keep editing');
    expect(field(/^City/).value).toBe('Burnaby');
    await person.click(screen.getByRole('link', { name: 'My Appointments' }));
    await press('Discard changes');
    expect(await screen.findByRole('heading', { name: 'Visits' })).toBeTruthy();
  });

  test('have the browser ask before the page is loaded anew, and only they', async () => {
    await atAccount();
    await press('Edit');
    const leaving = () => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(leaving()).toBe(false);
    await retype(/^City/, 'Burnaby');
    expect(leaving()).toBe(true);
    await retype(/^City/, 'Vancouver');
    expect(leaving()).toBe(false);
    await person.click(screen.getByRole('link', { name: 'My Appointments' }));
    expect(await screen.findByRole('heading', { name: 'Visits' })).toBeTruthy();
  });

  test('stay where another device changes the profile, and are asked about where both did', async () => {
    await atAccount();
    await press('Edit');
    await retype(/^City/, 'Burnaby');
    patient = { ...patient, city: 'Surrey', address: '9 New Street', formVersion: 'second' };
    liveSays('onAccount');
    await screen.findByText(/has changed since you opened this form/);
    const choice = screen.getByRole('group', { name: 'City, as saved now:' });
    expect(choice.textContent).toContain('Surrey');
    expect(field(/^City/).value).toBe('Burnaby');
    expect(field(/^Address/).value).toBe('9 New Street');
    await press('Update');
    expect(await summary()).toContain('City: Please choose what to save');
    expect(sent).toEqual([]);
    await press('Keep mine');
    expect(document.activeElement).toBe(field(/^City/));
    await press('Update');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ city: 'Burnaby', address: '9 New Street' });
    expect([changedFields, formVersion]).toEqual(['city', 'second']);
  });

  test('are shown with what another device has saved of the same, though the page had not heard of it', async () => {
    await atAccount({ formVersion: 'first' });
    await press('Edit');
    await retype(/^City/, 'Burnaby');
    patient = { ...patient, city: 'Surrey', formVersion: 'second' };
    const errors = [{ field: 'city', message: 'This was changed in the meantime.' }];
    service.answer('POST /me', () => ({
      status: 409,
      body: refusal('changedMeanwhile', 'Changed.', { errors }),
    }));
    await press('Update');
    expect(await summary()).toContain('City: This was changed in the meantime.');
    const choice = await screen.findByRole('group', { name: 'City, as saved now:' });
    expect(field(/^City/).value).toBe('Burnaby');
    await person.click(within(choice).getByRole('button', { name: 'Use what is saved' }));
    expect(field(/^City/).value).toBe('Surrey');
    expect(screen.queryByRole('group', { name: 'City, as saved now:' })).toBeNull();
  });

  test('are none where a profile that another device changes is only shown', async () => {
    await atAccount();
    patient = { ...patient, city: 'Surrey' };
    liveSays('onAccount');
    expect(await screen.findByText('Surrey')).toBeTruthy();
  });

  test('wait for the patient whose session ended by itself', async () => {
    const { queryClient } = await atAccount();
    await press('Edit');
    await retype(/^City/, 'Burnaby');
    act(() => endSession(queryClient, { why: 'inactivity' }));
    await screen.findByRole('heading', { name: 'Log in' });
    keepToken('tok again');
    await person.click(screen.getByRole('link', { name: 'My Account' }));
    expect(await screen.findByText(/^These changes aren't saved yet/)).toBeTruthy();
    expect(field(/^City/).value).toBe('Burnaby');
  });
});

test.each([
  ['is no longer of the list', { body: [] }, 'Not provided'],
  [
    'could not be looked up',
    { status: 500, body: refusal('unexpected') },
    "We couldn't load the pharmacies.",
  ],
] as const)('a preferred pharmacy that %s says so', async (_, answer, words) => {
  service.answer('GET /pharmacy/all', () => answer);
  await atAccount({ preferredPharmacy: 'pharmacy-1' });
  await waitFor(() =>
    expect(screen.getByText('Preferred Pharmacy').nextElementSibling?.textContent).toBe(words),
  );
});

describe('shouldUpdate (§4 Account, R-72)', () => {
  // Shows: 2.shell.10, R-72
  test.each(['/', '/appointments'])('leads from %s to the account', async (path) => {
    await atAccount({ shouldUpdate: true }, path);
    expect(await screen.findByRole('dialog', { name: 'Family Doctor' })).toBeTruthy();
  });

  // Shows: 2.account.2, 4.account.2
  test('asks for a family doctor first, then has the information confirmed, and goes home', async () => {
    await atAccount({ shouldUpdate: true });
    await press('Yes');
    const confirm = screen.getByRole('dialog', { name: 'Confirm your information' });
    expect(within(confirm).getByText('1 Main Street')).toBeTruthy();
    await press('Information is correct');
    expect(await screen.findByRole('heading', { name: 'Home' })).toBeTruthy();
    expect(sent).toEqual([{ shouldUpdate: false, familyDoc: true, hasFamilyDoc: true }]);
  });

  test('goes home although an older answer about the patient comes after that of the press', async () => {
    const { queryClient } = await atAccount({ shouldUpdate: true });
    const asked = patient;
    const older = Promise.withResolvers<{ body: ApiUser }>();
    let looks = 0;
    service.answer('GET /me', () => (++looks === 1 ? older.promise : { body: patient }));
    await press('Yes');
    liveSays('onAccount');
    await press('Information is correct');
    await screen.findByRole('heading', { name: 'Home' });
    older.resolve({ body: asked });
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.getByRole('heading', { name: 'Home' })).toBeTruthy();
  });

  // Shows: R-72
  test('has the information edited instead; a successful Update clears it too', async () => {
    await atAccount({ shouldUpdate: true });
    await press('Yes');
    await press('Edit my information');
    expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
    await press('Update');
    expect(await screen.findByText('User info updated successfully')).toBeTruthy();
    expect(sent[0]).toMatchObject({ hasFamilyDoc: true, shouldUpdate: false });
    await person.click(screen.getByRole('link', { name: 'My Appointments' }));
    expect(await screen.findByRole('heading', { name: 'Visits' })).toBeTruthy();
  });

  // Shows: text.post-me-post-me-shouldupdate
  test('says so when it could not be confirmed, and can be put off but not forgotten', async () => {
    service.answer('POST /me/shouldupdate', () => ({ status: 503, body: {} }));
    await atAccount({ shouldUpdate: true });
    await press('No');
    await press('Information is correct');
    expect(await screen.findByText('Server error occured.')).toBeTruthy();
    act(() => {
      screen.getByRole('dialog').dispatchEvent(new Event('cancel', { cancelable: true }));
    });
    expect(screen.queryByRole('dialog')).toBeNull();
    await press('Check my information');
    expect(screen.getByRole('dialog', { name: 'Family Doctor' })).toBeTruthy();
  });
});

describe('Password and sessions', () => {
  const sessions = [
    {
      signedInAt: 1_795_284_000,
      lastActiveAt: 1_795_285_800,
      device: 'Chrome, Android',
      current: true,
    },
    { signedInAt: 1_795_200_000, lastActiveAt: 1_795_200_600, device: 'Firefox', current: false },
  ];

  test('are listed with the present one named, and end everywhere at one press', async () => {
    service.answer('GET /me/sessions', () => ({ body: { success: true, extras: { sessions } } }));
    service.answer('DELETE /me/sessions', () => ({ body: { success: true } }));
    await atAccount();
    const here = await screen.findByText('Chrome, Android');
    expect(here.parentElement?.textContent).toBe('Chrome, Android (this device)');
    expect(screen.getByText('Firefox')).toBeTruthy();
    await press('Log out everywhere');
    await waitFor(() => expect(accessToken.get()).toBeNull());
    expect(service.calls).not.toContain('POST /logout');
  });

  test('of one moment are listed each, and go as the password is changed', async () => {
    const [here] = sessions;
    let left = [here, { ...here, current: false }];
    service.answer('GET /me/sessions', () => ({
      body: { success: true, extras: { sessions: left } },
    }));
    const { queryClient } = await atAccount();
    const [first] = await screen.findAllByText('Chrome, Android');
    const list = first?.closest('ul');
    expect(list?.children).toHaveLength(2);
    left = [here];
    await act(() => queryClient.invalidateQueries({ queryKey: ['sessions'] }));
    await waitFor(() => expect(list?.children).toHaveLength(1));
  });

  test('data that may not be downloaded yet says until when to wait', async () => {
    const wait = 'There were too many attempts. Please wait 2 hours, then try again.';
    service.answer('GET /me/export', () => ({
      status: 429,
      body: refusal('tooManyRequests', wait),
    }));
    await atAccount();
    await press('Download my data');
    expect(await screen.findByText(wait)).toBeTruthy();
  });

  test('the focus goes into the form of the password and back to its button', async () => {
    await atAccount();
    await press('Change password');
    const heading = screen.getByRole('heading', { name: 'Change password' });
    expect(document.activeElement).toBe(heading);
    await press('Cancel');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change password' }));
  });

  test('the password is changed by whoever knows the present one', async () => {
    const asked: unknown[] = [];
    service.answer('POST /me/password', ({ body }) => {
      asked.push(body);
      return { status: 422, body: refusal('passwordWrong', 'This is not your current password.') };
    });
    await atAccount();
    await press('Change password');
    const type = (name: string, text: string) => person.type(screen.getByLabelText(name), text);
    await press('Set new password');
    expect(await summary()).toContain('Password input cannot be empty');
    await type('Current Password', 'Old-password');
    await type('New Password', 'short');
    await type('Confirm New Password', 'shorter');
    await press('Set new password');
    expect(await summary()).toContain('The length of password must be greater than 8');
    expect(await summary()).toContain('New Password and Confirm New Password do not match.');
    expect(asked).toEqual([]);
    await type('New Password', '-but-longer');
    await person.clear(screen.getByLabelText('Confirm New Password'));
    await type('Confirm New Password', 'short-but-longer');
    await press('Set new password');
    await waitFor(async () =>
      expect(await summary()).toContain('This is not your current password.'),
    );
    service.answer('POST /me/password', () => ({
      body: { success: true, extras: { message: 'Your password has been changed.' } },
    }));
    await press('Set new password');
    expect(await screen.findByText('Your password has been changed.')).toBeTruthy();
    expect(screen.queryByLabelText('Current Password')).toBeNull();
    expect(asked).toEqual([{ currentPassword: 'Old-password', newPassword: 'short-but-longer' }]);
  });
});
