import type { ApiForeseen, ApiOutside } from '@clinic/contract';
import { formatMoment, formatMoney } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { useId } from 'react';
import { locale, t } from '../words.ts';
import { nameOf } from './schedule-data.ts';
import styles from './schedule.module.css';
import { ScrollingTable } from './scrolling-table.tsx';

interface AffectedProps {
  affected: readonly ApiForeseen[];
  providers: readonly { readonly id: string; readonly name: string }[];
}

/** The patients affected by a closing, and the exact email to each. */
export function Affected({ affected, providers }: AffectedProps) {
  const emails = affected.flatMap(({ appointmentId, patient, email }) =>
    email === null ? [] : [{ appointmentId, patient, ...email }],
  );
  return (
    <>
      <ScrollingTable caption={t('desk.close.affected')}>
        <thead>
          <tr>
            <th scope="col">{t('desk.close.when')}</th>
            <th scope="col">{t('desk.close.patient')}</th>
            <th scope="col">{t('desk.close.provider')}</th>
            <th scope="col">{t('desk.close.type')}</th>
            <th scope="col">{t('desk.close.money')}</th>
            <th scope="col">{t('desk.close.told')}</th>
          </tr>
        </thead>
        <tbody>
          {affected.map((each) => (
            <tr key={each.appointmentId}>
              <td>{formatMoment(locale, each.start)}</td>
              <th scope="row">{each.patient}</th>
              <td>{nameOf(each.providerId, providers)}</td>
              <td>{each.description}</td>
              <td>
                {each.paidCents > 0 ? formatMoney(locale, each.paidCents) : t('desk.close.noMoney')}
              </td>
              <td>{toldText(each)}</td>
            </tr>
          ))}
        </tbody>
      </ScrollingTable>
      {emails.map(({ appointmentId, patient, subject, text }, at) => (
        <details key={appointmentId} className={styles.email} open={at === 0}>
          <summary>{t('desk.close.whatTheyRead', { name: patient })}</summary>
          <p className={styles.subject}>{subject}</p>
          <p className={styles.text}>{text}</p>
        </details>
      ))}
    </>
  );
}

function toldText({ becomes, told, phone }: ApiForeseen): string {
  if (becomes === 'released') return t('desk.close.notTold');
  if (told === 'call') return callText(phone);
  return t(becomes === 'underWay' ? 'desk.close.later' : 'desk.close.byEmail');
}

export const callText = (phone: string | null): string =>
  phone === null ? t('desk.close.callNoPhone') : t('desk.close.callOn', { phone });

interface ForeseenProps {
  outside: readonly ApiOutside[];
  isSaving: boolean;
  /** Label of the button. */
  save: string;
  onSave: () => void;
}

/** What a painted schedule would change, with the button that saves it. */
export function Foreseen({ outside, isSaving, save, onSave }: ForeseenProps) {
  const headingId = useId();
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h2 id={headingId} tabIndex={-1} ref={comeIn}>
        {t('desk.week.preview', { n: outside.length })}
      </h2>
      <p className={styles.about}>{t('desk.week.stands')}</p>
      {outside.length > 0 && <Outside outside={outside} />}
      <div>
        <Button busy={isSaving} busyLabel={t('desk.week.saving')} onClick={onSave}>
          {save}
        </Button>
      </div>
    </section>
  );
}

const comeIn = (heading: HTMLElement | null) => heading?.focus();

/** Appointments that the painted schedule would leave outside of working time. */
function Outside({ outside }: { outside: readonly ApiOutside[] }) {
  return (
    <ScrollingTable caption={t('desk.week.outside')}>
      <thead>
        <tr>
          <th scope="col">{t('desk.close.when')}</th>
          <th scope="col">{t('desk.close.patient')}</th>
          <th scope="col">{t('desk.close.type')}</th>
          <th scope="col">{t('desk.week.why')}</th>
          <th scope="col">{t('desk.week.reach')}</th>
        </tr>
      </thead>
      <tbody>
        {outside.map((each) => (
          <tr key={each.appointmentId}>
            <td>{formatMoment(locale, each.start)}</td>
            <th scope="row">{each.patient}</th>
            <td>{each.description}</td>
            <td>{whyOutside(each)}</td>
            <td>{callText(each.phone)}</td>
          </tr>
        ))}
      </tbody>
    </ScrollingTable>
  );
}

function whyOutside({ start, endsThen, isHeld }: ApiOutside): string {
  const why =
    endsThen === null
      ? t('desk.week.notOffered')
      : t('desk.week.otherLength', { n: (endsThen - start) / 60 });
  return isHeld ? t('desk.week.heldForLink', { why }) : why;
}
