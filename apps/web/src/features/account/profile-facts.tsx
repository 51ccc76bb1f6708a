import type { ApiUser } from '@clinic/contract';
import { ACCOUNT_GENDERS, calendarDate, formatPhone, isProvince } from '@clinic/domain';
import { formatLongDate } from '@clinic/texts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { locale, t } from '../../messages/t.ts';
import { pharmaciesQuery } from '../../shared/pharmacies/pharmacies-query.ts';
import '../../shared/pharmacies/pharmacy-words.ts';
import { countryName } from '../../shared/places/country-select.tsx';
import { nameOf } from '../../shared/places/province-select.tsx';
import styles from './account.module.css';
import type { ProfileDraft } from './profile-draft.ts';

const orNone = (value: string) => (value.trim() === '' ? t('account.none') : value);

/** Marks typed values as not to be translated. */
const typed = (value: string) =>
  value.trim() === '' ? t('account.none') : <span translate="no">{value}</span>;

/** Facts that only the clinic changes. */
export function IdentityFacts({ user }: { user: ApiUser }) {
  const { year, month, day } = user.birthday;
  const born = calendarDate(year, month, day);
  return (
    <Facts
      facts={[
        { name: t('account.name'), value: typed(`${user.firstName} ${user.lastName}`) },
        {
          name: t('account.birthDate'),
          value: born === null ? t('account.none') : formatLongDate(locale(), born),
        },
        { name: t('account.email'), value: typed(user.email) },
        { name: t('account.healthCard'), value: cardOf(user) },
      ]}
    />
  );
}

function cardOf({ careCard: { number, province } }: ApiUser): string {
  if (number === '') return t('account.noCard');
  return isProvince(province) ? `${number} (${nameOf(province)})` : number;
}

/** Facts that the patient may change. */
export function ContactFacts({ user }: { user: ApiUser }) {
  const values = useContactFacts(user);
  const names = Object.keys(values) as (keyof ProfileDraft)[];
  return <Facts facts={names.map((name) => ({ name: labelOf(name), value: values[name] }))} />;
}

/** The name of a field, in the form, in its error summary and among the facts. */
export function labelOf(name: keyof ProfileDraft): string {
  if (name === 'sex') return t('account.gender');
  return t(`account.${name === 'phone' ? 'homePhone' : name}`);
}

/** The same, by the field of the form. */
export function useContactFacts(user: ApiUser): Readonly<Record<keyof ProfileDraft, ReactNode>> {
  const pharmacy = usePharmacyName(user.preferredPharmacy);
  const gender = ACCOUNT_GENDERS.find((one) => one === user.sex);
  return {
    sex: gender ? t(`account.gender.${gender}`) : orNone(user.sex),
    address: typed(user.address),
    city: typed(user.city),
    province: isProvince(user.province) ? nameOf(user.province) : orNone(user.province),
    postal: typed(user.postal),
    country: orNone(countryName(user.country)),
    mobilePhone: orNone(formatPhone(user.mobilePhone)),
    phone: orNone(formatPhone(user.phone)),
    internationalPhone: orNone(user.e164?.internationalPhone ?? user.internationalPhone),
    familyDoctor: t(user.familyDoc ? 'account.yes' : 'account.no'),
    pharmacy,
  };
}

function usePharmacyName(id: string | null): string {
  const { data, isError } = useQuery(pharmaciesQuery);
  if (id === null) return t('account.none');
  if (!data) return isError ? t('pharmacies.failed') : '…';
  const found = data.find((one) => one.id === id);
  return found ? `${found.name}, ${found.address.address}` : t('account.none');
}

interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Names and values, one beneath the other on phones. */
function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
