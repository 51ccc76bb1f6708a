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
  const pharmacy = usePharmacyName(user.preferredPharmacy);
  const gender = ACCOUNT_GENDERS.find((one) => one === user.sex);
  const facts: readonly Fact[] = [
    { name: t('account.gender'), value: gender ? t(`account.gender.${gender}`) : orNone(user.sex) },
    { name: t('account.address'), value: typed(user.address) },
    { name: t('account.city'), value: typed(user.city) },
    {
      name: t('account.province'),
      value: isProvince(user.province) ? nameOf(user.province) : orNone(user.province),
    },
    { name: t('account.postal'), value: typed(user.postal) },
    { name: t('account.country'), value: orNone(countryName(user.country)) },
    { name: t('account.mobilePhone'), value: orNone(formatPhone(user.mobilePhone)) },
    { name: t('account.homePhone'), value: orNone(formatPhone(user.phone)) },
    { name: t('account.internationalPhone'), value: orNone(user.internationalPhone) },
    { name: t('account.familyDoctor'), value: t(user.familyDoc ? 'account.yes' : 'account.no') },
    { name: t('account.pharmacy'), value: pharmacy },
  ];
  return <Facts facts={facts} />;
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
