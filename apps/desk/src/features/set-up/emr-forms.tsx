import type { ApiSetUp } from '@clinic/contract';
import { CheckboxGroup } from '@clinic/ui/checkbox-group';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { useState } from 'react';
import { t } from '../../shared/words.ts';
import { DoctorField, type Row, RowForm, TypeField, nameOf, typeNameOf } from './row-form.tsx';

/** What still wants saying, by name. */
const missing = (key: MissingKey, names: readonly string[]) =>
  names.length > 0 && t(key, { names: names.join('; ') });
type MissingKey =
  'desk.setUp.siteMissing' | 'desk.setUp.emrNameMissing' | 'desk.setUp.slotCodeMissing';

interface SiteProps {
  doctors: readonly Row[];
  sites: NonNullable<ApiSetUp['emrSites']>;
}

/** Proposes the site of most of the doctor's entries in the EMR. */
export function DoctorSite({ doctors, sites }: SiteProps) {
  const [id, setId] = useState('');
  const [location, setLocation] = useState('');
  const active = doctors.filter((each) => each['status'] === '1');
  const row = active.find((each) => each['id'] === id);
  const names = [...new Set(sites.map(({ name }) => name))];
  const without = active.filter((each) => each['hidden'] === 'no' && !each['location']);
  return (
    <RowForm
      what="providers"
      title={t('desk.setUp.siteTitle')}
      about={t('desk.setUp.siteAbout')}
      missing={missing('desk.setUp.siteMissing', without.map(nameOf))}
      rows={row && location.trim() ? [{ ...row, location: location.trim() }] : []}
    >
      <DoctorField
        doctors={active}
        value={id}
        onChange={(next) => {
          setId(next);
          const kept = active.find((each) => each['id'] === next)?.['location'];
          setLocation(kept || (sites.find(({ providerId }) => providerId === next)?.name ?? ''));
        }}
      />
      <TextField
        label={t('desk.setUp.site')}
        hint={t('desk.setUp.siteHint', { names: names.join(', ') })}
        required
        maxLength={30}
        value={location}
        onChange={setLocation}
      />
    </RowForm>
  );
}

/** Binds a type to a name that the EMR has. */
export function TypeInEmr({ types, names }: { types: readonly Row[]; names: readonly string[] }) {
  const [code, setCode] = useState('');
  const [name, setName] = useState('');
  const row = types.find((each) => each['code'] === code);
  const isKnown = (said = '') => (names.includes(said) ? said : '');
  const said = (type: Row | undefined) => isKnown(type?.['emrName'] || type?.['description']);
  const without = types.filter(
    (each) => each['active'] !== 'no' && each['form'] !== 'refill' && said(each) === '',
  );
  return (
    <RowForm
      what="types"
      title={t('desk.setUp.emrNameTitle')}
      about={t('desk.setUp.emrNameAbout')}
      missing={missing('desk.setUp.emrNameMissing', without.map(typeNameOf))}
      rows={row && name ? [{ ...row, emrName: name }] : []}
    >
      <TypeField
        types={types}
        value={code}
        onChange={(next) => {
          setCode(next);
          setName(said(types.find((each) => each['code'] === next)));
        }}
      />
      <SelectField
        label={t('desk.setUp.emrName')}
        placeholder={t('desk.setUp.emrNameChoose')}
        required
        options={names.map((each) => ({ value: each, label: each }))}
        value={name}
        onChange={setName}
      />
    </RowForm>
  );
}

/** In place of the types of a code: nobody has said what it serves. */
const UNSAID = '?';

interface CodeProps {
  codes: readonly Row[];
  weekly: NonNullable<ApiSetUp['weekly']>;
  types: readonly Row[];
}

/** Says which types a code of the EMR's templates serves; it may be none. */
export function CodeOfEmr({ codes, weekly, types }: CodeProps) {
  const [code, setCode] = useState('');
  const [served, setServed] = useState<readonly string[]>([]);
  const row = codes.find((each) => each['code'] === code);
  const minutesOf = (of: Row) => weekly.find((each) => each.code === of['code'])?.minutes ?? 0;
  const named = (of: Row) => `${of['code']} ${of['description']}`;
  const inUse = codes.toSorted((one, other) => minutesOf(other) - minutesOf(one));
  const without = inUse.filter((each) => each['types'] === UNSAID && minutesOf(each) > 0);
  return (
    <RowForm
      what="codes"
      title={t('desk.setUp.slotCodeTitle')}
      about={t('desk.setUp.slotCodeAbout')}
      missing={missing('desk.setUp.slotCodeMissing', without.map(named))}
      rows={row ? [{ ...row, types: served.join(' ') }] : []}
    >
      <SelectField
        label={t('desk.setUp.slotCode')}
        placeholder={t('desk.setUp.slotCodeChoose')}
        required
        options={inUse.map((each) => ({
          value: each['code'] ?? '',
          label: t('desk.setUp.slotCodeOf', {
            code: named(each),
            hours: Math.round(minutesOf(each) / 60),
          }),
        }))}
        value={code}
        onChange={(next) => {
          setCode(next);
          const said = codes.find((each) => each['code'] === next)?.['types'] ?? '';
          setServed(said === UNSAID ? [] : said.split(' ').filter(Boolean));
        }}
      />
      <CheckboxGroup
        label={t('desk.setUp.table.types')}
        hint={t('desk.setUp.slotCodeTypesHint')}
        options={types
          .filter((each) => each['form'] !== 'refill')
          .map((each) => ({
            value: each['code'] ?? '',
            label: typeNameOf(each),
          }))}
        values={served}
        onToggle={(type) =>
          setServed((before) =>
            before.includes(type) ? before.filter((each) => each !== type) : [...before, type],
          )
        }
      />
    </RowForm>
  );
}
