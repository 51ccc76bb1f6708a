import { digitsOf } from '@clinic/domain';
import { monthNames } from '@clinic/texts';
import { classNames } from '@clinic/ui/class-names';
import { FieldGroup } from '@clinic/ui/field';
import input from '@clinic/ui/input.module.css';
import { locale, t } from '../../messages/t.ts';
import './identity-words.ts';
import styles from './parts.module.css';

/** As typed and chosen; '' where nothing is. */
export interface BirthDateParts {
  readonly day: string;
  readonly month: string;
  readonly year: string;
}

export const NO_BIRTH_DATE: BirthDateParts = { day: '', month: '', year: '' };

interface BirthDateFieldProps {
  value: BirthDateParts;
  onChange: (value: BirthDateParts) => void;
  id: string;
  error: string | null;
  hint?: string;
}

/**
 * A birth date in three controls: nobody pages through decades of a calendar, and no day is taken
 * for a month.
 */
export function BirthDateField({ value, onChange, id, error, hint }: BirthDateFieldProps) {
  return (
    <FieldGroup label={t('identity.birthDate')} hint={hint} error={error} id={id}>
      {({ id: first, ...wiring }) => (
        <div className={styles.parts}>
          <div className={classNames(styles.part, styles.day)}>
            <label htmlFor={first}>{t('identity.day')}</label>
            <input
              {...wiring}
              id={first}
              className={input.input}
              inputMode="numeric"
              autoComplete="bday-day"
              maxLength={2}
              value={value.day}
              onChange={({ target }) => onChange({ ...value, day: digitsOf(target.value) })}
            />
          </div>
          <div className={classNames(styles.part, styles.month)}>
            <label htmlFor={`${first}-month`}>{t('identity.month')}</label>
            <select
              {...wiring}
              id={`${first}-month`}
              className={input.input}
              autoComplete="bday-month"
              value={value.month}
              onChange={({ target }) => onChange({ ...value, month: target.value })}
            >
              <option value="">{t('identity.choose')}</option>
              {monthNames(locale()).map((month, index) => (
                <option key={month} value={String(index + 1)}>
                  {month}
                </option>
              ))}
            </select>
          </div>
          <div className={classNames(styles.part, styles.year)}>
            <label htmlFor={`${first}-year`}>{t('identity.year')}</label>
            <input
              {...wiring}
              id={`${first}-year`}
              className={input.input}
              inputMode="numeric"
              autoComplete="bday-year"
              maxLength={4}
              value={value.year}
              onChange={({ target }) => onChange({ ...value, year: digitsOf(target.value) })}
            />
          </div>
        </div>
      )}
    </FieldGroup>
  );
}
