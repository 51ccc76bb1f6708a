import { clinicNow } from '@clinic/app/clock';
import type { ApiBookingOptions } from '@clinic/contract';
import { toClinic, toInstant } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { useState } from 'react';
import { whyNoDay } from '../day-field.tsx';
import { t } from '../words.ts';
import type { Place } from './booking-data.ts';
import styles from './booking.module.css';
import type { TimeChooserProps } from './time-chooser-props.ts';

interface OtherTimeProps extends Pick<TimeChooserProps, 'purpose'> {
  providers: ApiBookingOptions['providers'];
  busy: boolean;
  onPress: (place: Place) => void;
}

/** A freely chosen time, even one that is not offered to patients. */
export function OtherTime({ providers, purpose, busy, onPress }: OtherTimeProps) {
  const [providerId, setProviderId] = useState('');
  const [day, setDay] = useState(() => toClinic(clinicNow()).date);
  const [time, setTime] = useState('');
  const [minutes, setMinutes] = useState('');
  const [dayError, setDayError] = useState<string | null>(null);
  return (
    <details>
      <summary>{t('desk.otherTime')}</summary>
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          setDayError(whyNoDay(day));
          if (whyNoDay(day) !== null) return;
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
          <TextField
            type="date"
            label={t('desk.otherDay')}
            required
            error={dayError}
            value={day}
            onChange={setDay}
          />
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
          <Button
            type="submit"
            variant="secondary"
            busy={busy}
            busyLabel={t(purpose === 'book' ? 'desk.booking' : 'desk.moving')}
          >
            {t(purpose === 'book' ? 'desk.bookThis' : 'desk.moveHere')}
          </Button>
        </div>
      </form>
    </details>
  );
}
