import { clinicNow } from '@clinic/app/clock';
import type { ApiBookingOptions } from '@clinic/contract';
import { type ClinicDate, toClinic, toInstant } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { useState } from 'react';
import { t } from '../words.ts';
import type { Place } from './booking-data.ts';
import styles from './booking.module.css';
import { TypedDayField } from './typed-day-field.tsx';

interface OtherTimeProps {
  providers: ApiBookingOptions['providers'];
  onPress: (place: Place) => void;
}

/** A freely chosen time, even one that is not offered to patients. */
export function OtherTime({ providers, onPress }: OtherTimeProps) {
  const [providerId, setProviderId] = useState('');
  const [day, setDay] = useState<ClinicDate | null>(() => toClinic(clinicNow()).date);
  const [time, setTime] = useState('');
  const [minutes, setMinutes] = useState('');
  return (
    // What it unfolds would lie below the fold.
    <details onToggle={({ currentTarget }) => currentTarget.scrollIntoView?.({ block: 'nearest' })}>
      <summary>{t('desk.otherTime')}</summary>
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          if (day === null) return;
          const long = minutes === '' ? {} : { minutes: Number(minutes) };
          onPress({ providerId, start: toInstant(day, time), ...long });
        }}
      >
        <p className={styles.soft}>{t('desk.otherTimeAbout')}</p>
        <div className={styles.filters}>
          <SelectField
            label={t('desk.otherProvider')}
            placeholder={t('desk.otherProviderChoose')}
            required
            options={providers.map(({ id, name }) => ({ value: id, label: name }))}
            value={providerId}
            onChange={setProviderId}
          />
          <TypedDayField label={t('desk.otherDay')} required value={day} onChange={setDay} />
          <TextField
            type="time"
            label={t('desk.startsAt')}
            required
            step={300}
            value={time}
            onChange={setTime}
          />
          <TextField
            type="number"
            label={t('desk.minutes')}
            hint={t('desk.minutesHint')}
            min={5}
            max={480}
            step={5}
            value={minutes}
            onChange={setMinutes}
          />
        </div>
        <div>
          <Button type="submit" variant="secondary">
            {t('desk.chooseThis')}
          </Button>
        </div>
      </form>
    </details>
  );
}
