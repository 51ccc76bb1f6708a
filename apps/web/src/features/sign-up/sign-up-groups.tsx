import type { ControlProps, FormState } from '@clinic/app/form';
import { useId, type ReactNode } from 'react';
import {
  SIGN_UP_GENDERS,
  isProvince,
  asksForCard,
  hasCardCharacters,
  MINIMUM_AGE,
  type DateParts,
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
import { CountrySelect } from '../../shared/places/country-select.tsx';
import { ProvinceSelect } from '../../shared/places/province-select.tsx';
import { AgreementWords } from '../../shared/agreement-words.tsx';
import styles from './register.module.css';
import { bornOn, inCountry, cardNumber, withCardProvince, isMinor } from './sign-up-changes.ts';
import type { SignUp } from './sign-up-draft.ts';

export type SignUpForm = FormState<SignUp, keyof SignUp | 'phones' | 'recaptcha'>;

/** Props of each group of the form. */
interface SignUpGroup {
  readonly form: SignUpForm;
}

/** A field with its label. */
const labelled = <Name extends Parameters<typeof fieldLabel>[1] & keyof SignUp>(
  form: SignUpForm,
  name: Name,
  ...also: readonly 'phones'[]
) => ({ ...form.field(name, ...also), label: fieldLabel(locale(), name) });

/** Also by the name that browsers and password managers know it by. */
const named = <Name extends Parameters<typeof labelled>[1]>(form: SignUpForm, name: Name) => ({
  ...labelled(form, name),
  name,
});

/** The field in which another is typed once more. */
const again = (form: SignUpForm, name: 'email' | 'password' | 'healthCardNumber') => ({
  ...form.field(`${name}Confirm`),
  name: `${name}Confirm`,
  label: t('register.confirmField', { field: fieldLabel(locale(), name) }),
});

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
export function AboutYou({ form }: SignUpGroup) {
  const { birthDate, gender } = form.values;
  return (
    <Group title={t('register.you')} hint={t('register.youHint')}>
      <TextField {...named(form, 'firstName')} autoComplete="given-name" maxLength={100} />
      <TextField {...named(form, 'lastName')} autoComplete="family-name" maxLength={100} />
      <RadioRows
        {...labelled(form, 'gender')}
        options={SIGN_UP_GENDERS.map((each) => ({
          value: each,
          label: t(`register.gender${each}`),
        }))}
        value={isGender(gender) ? gender : null}
      />
      <DateField
        {...form.field('birthDate')}
        label={t('identity.birthDate')}
        autoComplete="bday"
        hint={t('register.birthDateHint')}
        onChange={(parts) => form.change(bornOn(birthDate, parts, clinicToday()))}
      />
    </Group>
  );
}

const NUMBERS = ['healthCardNumber', 'healthCardNumberConfirm'] as const;

/** Country, address, city, province and postal code. */
export function WhereYouLive({ form }: SignUpGroup) {
  const { province } = form.values;
  return (
    <Group title={t('register.place')}>
      <CountrySelect
        {...labelled(form, 'country')}
        onChange={(next) => form.change(inCountry(next), 'healthCardProvince', ...NUMBERS)}
      />
      <TextField {...named(form, 'address')} autoComplete="address-line1" maxLength={200} />
      <TextField {...named(form, 'city')} autoComplete="address-level2" maxLength={100} />
      <ProvinceSelect
        {...labelled(form, 'province')}
        of="address"
        value={isProvince(province) ? province : ''}
      />
      <TextField
        {...named(form, 'postal')}
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
export function HowToReachYou({ form }: SignUpGroup) {
  const none = form.errorOf('phones');
  return (
    <Group title={t('register.reach')} hint={t('register.reachHint')}>
      <PhonePartsField
        {...labelled(form, 'mobilePhone', 'phones')}
        {...(none !== null && { id: form.idOf('phones'), error: none })}
        kind="mobile"
      />
      <PhonePartsField {...labelled(form, 'phone', 'phones')} kind="home" />
      <TextField
        {...labelled(form, 'internationalPhone', 'phones')}
        name="internationalPhone"
        hint={t('register.internationalHint')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
      />
    </Group>
  );
}

/** Email and password, each twice; pasting is allowed. */
export function LogInWith({ form }: SignUpGroup) {
  return (
    <Group title={t('register.logInWith')}>
      <EmailField {...named(form, 'email')} hint={t('register.emailHint')} />
      <EmailField {...again(form, 'email')} />
      <PasswordField
        {...named(form, 'password')}
        hint={t('register.passwordHint')}
        autoComplete="new-password"
        maxLength={256}
      />
      <PasswordField {...again(form, 'password')} autoComplete="new-password" maxLength={256} />
    </Group>
  );
}

/** The card's province, and its number twice. No number without a card; no card outside Canada. */
export function HealthCard({ form }: SignUpGroup) {
  const { healthCardProvince: province } = form.values;
  if (!asksForCard(form.values))
    return <Group title={t('register.card')} hint={t('register.cardAbroad')} />;

  const letters = isProvince(province) && hasCardCharacters(province, 'A');
  const typedAs = (name: (typeof NUMBERS)[number]) => ({
    inputMode: letters ? ('text' as const) : ('numeric' as const),
    autoComplete: 'off',
    autoCapitalize: 'characters',
    spellCheck: false,
    maxLength: 40,
    onChange: (text: string) => {
      if (isProvince(province))
        form.change({ [name]: cardNumber(province, form.values[name], text) });
    },
  });
  return (
    <Group title={t('register.card')}>
      <ProvinceSelect
        {...labelled(form, 'healthCardProvince')}
        of="healthCard"
        value={isProvince(province) ? province : ''}
        onChange={(chosen) => form.change(withCardProvince(chosen), ...NUMBERS)}
      />
      {isProvince(province) && province !== 'Other' && (
        <>
          <TextField
            {...named(form, 'healthCardNumber')}
            {...typedAs('healthCardNumber')}
            hint={t(hintOf(province, letters))}
          />
          <TextField {...again(form, 'healthCardNumber')} {...typedAs('healthCardNumberConfirm')} />
        </>
      )}
    </Group>
  );
}

function hintOf(province: string, letters: boolean) {
  if (province === 'ON') return 'register.cardHintOntario';
  return letters ? 'register.cardHintLetters' : 'register.cardHint';
}

interface ConsentProps extends ControlProps<boolean> {
  birthDate: DateParts;
}

/** The text to agree to; for a patient under 19 a representative agrees. */
export function Consent({ birthDate, value, ...box }: ConsentProps) {
  const config = useConfig();
  const { draft, version } = currentAgreement('signUp', config?.agreements);
  const clinicName = config?.clinicName ?? '';
  const minor = isMinor(birthDate, clinicToday());
  return (
    <Group title={t('register.agree')}>
      <div className={styles.agreement}>
        <AgreementWords kind="signUp" valuesIn={() => ({ clinicName })} />
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
        {...box}
        label={t(minor ? 'register.consentMinor' : 'register.consent')}
        checked={value}
      />
    </Group>
  );
}
