import type { DateParts } from '@clinic/domain';
import { monthNames } from '@clinic/texts';
import { FieldGroup, type FieldWiring } from '@clinic/ui/field';
import input from '@clinic/ui/input.module.css';
import { locale, t } from '../../messages/t.ts';
import parts from '../fields/parts.module.css';
import './immigration-words.ts';

interface DateSelectFieldProps {
  id: string;
  label: string;
  value: DateParts;
  years: readonly number[];
  error: string | null;
  onChange: (date: DateParts) => void;
}

const DAYS = Array.from({ length: 31 }, (_, n) => ({ value: n + 1, label: String(n + 1) }));

/** A date of three lists, of which the years are those that can be meant. */
export function DateSelectField({
  id,
  label,
  value,
  years,
  error,
  onChange,
}: DateSelectFieldProps) {
  const months = monthNames(locale()).map((label, n) => ({ value: n + 1, label }));
  const yearOptions = years.map((year) => ({ value: year, label: String(year) }));
  return (
    <FieldGroup id={id} label={label} error={error}>
      {({ id: first, ...wiring }) => (
        <div className={parts.parts}>
          <Part
            wiring={{ ...wiring, id: first }}
            part="year"
            options={yearOptions}
            value={value}
            onChange={onChange}
          />
          <Part
            wiring={{ ...wiring, id: `${first}-month` }}
            part="month"
            options={months}
            value={value}
            onChange={onChange}
          />
          <Part
            wiring={{ ...wiring, id: `${first}-day` }}
            part="day"
            options={DAYS}
            value={value}
            onChange={onChange}
          />
        </div>
      )}
    </FieldGroup>
  );
}

interface PartProps {
  wiring: FieldWiring;
  part: keyof DateParts;
  options: readonly { readonly value: number; readonly label: string }[];
  value: DateParts;
  onChange: (date: DateParts) => void;
}

function Part({ wiring, part, options, value, onChange }: PartProps) {
  return (
    <div className={parts.part}>
      <label htmlFor={wiring.id}>{t(`immigration.${part}`)}</label>
      <select
        {...wiring}
        className={input.input}
        autoComplete="off"
        value={value[part]}
        onChange={({ target }) => onChange({ ...value, [part]: Number(target.value) })}
      >
        <option value={0}>{t('immigration.chooseShort')}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
