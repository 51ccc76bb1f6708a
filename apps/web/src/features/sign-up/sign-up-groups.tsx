import { useId, type ReactNode } from 'react';
import {
  SIGN_UP_GENDERS,
  isProvince,
  asksForCard,
  hasCardCharacters,
  MINIMUM_AGE,
  type RegistrationField,
} from '@clinic/domain';
import { fieldLabel } from '@clinic/contract/identity-texts';
import { currentAgreement } from '@clinic/contract/agreements';
import { Card } from '@clinic/ui/card';
import { Checkbox } from '@clinic/ui/checkbox';
import { DateField } from '@clinic/ui/date-field';
import { Notice } from '@clinic/ui/notice';
import { PasswordField } from '@clinic/ui/password-field';
import { RadioRows } from '@clinic/ui/radio-cards';
import { EmailField, TextField } from '@clinic/ui/text-field';
import { Link } from 'wouter';
import { locale, t } from '../../messages/t.ts';
import { clinicToday } from '../../api/clinic-today.ts';
import { useConfig } from '../../api/config.ts';
import { PhonePartsField } from '../../shared/fields/phone-parts-field.tsx';
import type { FormErrors } from '../../shared/forms/form-errors.ts';
import { CountrySelect } from '../../shared/places/country-select.tsx';
import { ProvinceSelect } from '../../shared/places/province-select.tsx';
import { AgreementWords } from '../../shared/agreement-words.tsx';
import styles from './register.module.css';
import { bornOn, inCountry, cardNumber, withCardProvince, isMinor } from './sign-up-changes.ts';
import type { SignUp } from './sign-up-draft.ts';

/** Props of each group of the form. */
interface SignUpGroup {
  readonly typed: SignUp;
  readonly errors: FormErrors<RegistrationField>;
  /** Takes the changed form, and removes the error marks of the `mended` fields. */
  readonly change: (next: SignUp, ...mended: readonly RegistrationField[]) => void;
}

type PlainText = {
  [Name in RegistrationField & keyof SignUp]: SignUp[Name] extends string ? Name : never;
}[RegistrationField & keyof SignUp];

/** Props that every plain text field of the form shares. */
export function plainText({ typed, errors, change }: SignUpGroup, name: PlainText) {
  return {
    id: errors.idOf(name),
    name,
    value: typed[name],
    error: errors.errorOf(name),
    onChange: (value: string) => change({ ...typed, [name]: value }, name),
  };
}

interface GroupProps {
  title: string;
  hint?: string;
  children?: ReactNode;
}

/** A titled section of the form. */
export function Group({ title, hint, children }: GroupProps) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id} className={styles.group}>
      <div>
        <h2 id={id} className={styles.groupTitle}>
          {title}
        </h2>
        {hint && <p className={styles.hint}>{hint}</p>}
      </div>
      {children}
    </Card>
  );
}

type Gender = (typeof SIGN_UP_GENDERS)[number];

const isGender = (text: string): text is Gender =>
  SIGN_UP_GENDERS.some((gender) => gender === text);

/** Names, gender and birth date. */
export function AboutYou(group: SignUpGroup) {
  const { typed, errors, change } = group;
  return (
    <Group title={t('register.you')} hint={t('register.youHint')}>
      <TextField
        {...plainText(group, 'firstName')}
        label={fieldLabel(locale(), 'firstName')}
        autoComplete="given-name"
        maxLength={100}
      />
      <TextField
        {...plainText(group, 'lastName')}
        label={fieldLabel(locale(), 'lastName')}
        autoComplete="family-name"
        maxLength={100}
      />
      <RadioRows
        id={errors.idOf('gender')}
        label={fieldLabel(locale(), 'gender')}
        error={errors.errorOf('gender')}
        options={SIGN_UP_GENDERS.map((gender) => ({
          value: gender,
          label: t(`register.gender${gender}`),
        }))}
        value={isGender(typed.gender) ? typed.gender : null}
        onChange={(gender) => change({ ...typed, gender }, 'gender')}
      />
      <DateField
        id={errors.idOf('birthDate')}
        label={t('identity.birthDate')}
        autoComplete="bday"
        hint={t('register.birthDateHint')}
        error={errors.errorOf('birthDate')}
        value={typed.birthDate}
        onChange={(parts) => change(bornOn(typed, parts, clinicToday()), 'birthDate')}
      />
    </Group>
  );
}

const NUMBERS = ['healthCardNumber', 'healthCardNumberConfirm'] as const;
const CARD = ['healthCardProvince', ...NUMBERS] as const;

/** Country, address, city, province and postal code. */
export function WhereYouLive(group: SignUpGroup) {
  const { typed, errors, change } = group;
  return (
    <Group title={t('register.place')}>
      <CountrySelect
        id={errors.idOf('country')}
        label={fieldLabel(locale(), 'country')}
        error={errors.errorOf('country')}
        value={typed.country}
        onChange={(country) => change(inCountry(typed, country), 'country', ...CARD)}
      />
      <TextField
        {...plainText(group, 'address')}
        label={fieldLabel(locale(), 'address')}
        autoComplete="address-line1"
        maxLength={200}
      />
      <TextField
        {...plainText(group, 'city')}
        label={fieldLabel(locale(), 'city')}
        autoComplete="address-level2"
        maxLength={100}
      />
      <ProvinceSelect
        of="address"
        id={errors.idOf('province')}
        label={fieldLabel(locale(), 'province')}
        error={errors.errorOf('province')}
        value={isProvince(typed.province) ? typed.province : ''}
        onChange={(province) => change({ ...typed, province }, 'province')}
      />
      <TextField
        {...plainText(group, 'postal')}
        label={fieldLabel(locale(), 'postal')}
        hint={t('register.postalHint')}
        autoComplete="postal-code"
        autoCapitalize="characters"
        width="short"
        maxLength={20}
      />
    </Group>
  );
}

/** Requires one of three numbers; without any, the first field shows the error. */
export function HowToReachYou(group: SignUpGroup) {
  const { typed, errors, change } = group;
  const none = errors.errorOf('phones');
  return (
    <Group title={t('register.reach')} hint={t('register.reachHint')}>
      <PhonePartsField
        id={errors.idOf(none === null ? 'mobilePhone' : 'phones')}
        kind="mobile"
        label={fieldLabel(locale(), 'mobilePhone')}
        error={none ?? errors.errorOf('mobilePhone')}
        value={typed.mobilePhone}
        onChange={(mobilePhone) => change({ ...typed, mobilePhone }, 'mobilePhone', 'phones')}
      />
      <PhonePartsField
        id={errors.idOf('phone')}
        kind="home"
        label={fieldLabel(locale(), 'phone')}
        error={errors.errorOf('phone')}
        value={typed.phone}
        onChange={(phone) => change({ ...typed, phone }, 'phone', 'phones')}
      />
      <TextField
        {...plainText(group, 'internationalPhone')}
        label={fieldLabel(locale(), 'internationalPhone')}
        hint={t('register.internationalHint')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        onChange={(internationalPhone) =>
          change({ ...typed, internationalPhone }, 'internationalPhone', 'phones')
        }
      />
    </Group>
  );
}

/** Email and password, each twice; pasting is allowed. */
export function LogInWith(group: SignUpGroup) {
  return (
    <Group title={t('register.logInWith')}>
      <EmailField
        {...plainText(group, 'email')}
        label={fieldLabel(locale(), 'email')}
        hint={t('register.emailHint')}
      />
      <EmailField
        {...plainText(group, 'emailConfirm')}
        label={t('register.confirmField', { field: fieldLabel(locale(), 'email') })}
      />
      <PasswordField
        {...plainText(group, 'password')}
        label={fieldLabel(locale(), 'password')}
        hint={t('register.passwordHint')}
        autoComplete="new-password"
        maxLength={256}
      />
      <PasswordField
        {...plainText(group, 'passwordConfirm')}
        label={t('register.confirmField', { field: fieldLabel(locale(), 'password') })}
        autoComplete="new-password"
        maxLength={256}
      />
    </Group>
  );
}

/** The card's province, and its number twice. No number without a card; no card outside Canada. */
export function HealthCard(group: SignUpGroup) {
  const { typed, errors, change } = group;
  const { healthCardProvince: province } = typed;
  if (!asksForCard(typed))
    return <Group title={t('register.card')} hint={t('register.cardAbroad')} />;

  const letters = isProvince(province) && hasCardCharacters(province, 'A');
  const number = {
    inputMode: letters ? 'text' : 'numeric',
    autoComplete: 'off',
    autoCapitalize: 'characters',
    spellCheck: false,
    maxLength: 40,
  } as const;
  const changeNumber = (name: (typeof NUMBERS)[number]) => (text: string) =>
    isProvince(province) &&
    change({ ...typed, [name]: cardNumber(province, typed[name], text) }, name);
  return (
    <Group title={t('register.card')}>
      <ProvinceSelect
        of="healthCard"
        id={errors.idOf('healthCardProvince')}
        label={fieldLabel(locale(), 'healthCardProvince')}
        error={errors.errorOf('healthCardProvince')}
        value={isProvince(province) ? province : ''}
        onChange={(chosen) =>
          change(withCardProvince(typed, chosen), 'healthCardProvince', ...NUMBERS)
        }
      />
      {isProvince(province) && province !== 'Other' && (
        <>
          <TextField
            {...number}
            {...plainText(group, 'healthCardNumber')}
            label={fieldLabel(locale(), 'healthCardNumber')}
            hint={t(hintOf(province, letters))}
            onChange={changeNumber('healthCardNumber')}
          />
          <TextField
            {...number}
            {...plainText(group, 'healthCardNumberConfirm')}
            label={t('register.confirmField', { field: fieldLabel(locale(), 'healthCardNumber') })}
            onChange={changeNumber('healthCardNumberConfirm')}
          />
        </>
      )}
    </Group>
  );
}

function hintOf(province: string, letters: boolean) {
  if (province === 'ON') return 'register.cardHintOntario';
  return letters ? 'register.cardHintLetters' : 'register.cardHint';
}

/** The text to agree to; for a patient under 19 a representative agrees. */
export function Consent({ typed, errors, change }: SignUpGroup) {
  const config = useConfig();
  const { draft, version } = currentAgreement('signUp', config?.agreements);
  const clinicName = config?.clinicName ?? '';
  const minor = isMinor(typed, clinicToday());
  return (
    <Group title={t('register.agree')}>
      <div className={styles.agreement}>
        <AgreementWords kind="signUp" config={config} valuesIn={() => ({ clinicName })} />
        {draft && <p className={styles.draft}>{t('register.draft', { version })}</p>}
      </div>
      <ul className={styles.texts}>
        <li>
          <Link to="?read=terms" state={{ opened: true }}>
            {t('shell.terms')}
          </Link>
        </li>
        <li>
          <Link to="?read=privacy" state={{ opened: true }}>
            {t('shell.privacy')}
          </Link>
        </li>
      </ul>
      {minor && (
        <Notice kind="caution" role="status">
          <p>{t('register.minor', { age: MINIMUM_AGE })}</p>
        </Notice>
      )}
      <Checkbox
        id={errors.idOf('consent')}
        label={t(minor ? 'register.consentMinor' : 'register.consent')}
        checked={typed.consent}
        error={errors.errorOf('consent')}
        onChange={(consent) => change({ ...typed, consent }, 'consent')}
      />
    </Group>
  );
}
