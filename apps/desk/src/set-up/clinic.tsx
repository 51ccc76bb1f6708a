import type { ApiSetUp } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { formHeaders } from '@clinic/ui/changed-elsewhere';
import { Notice } from '@clinic/ui/notice';
import { TextField } from '@clinic/ui/text-field';
import { useState } from 'react';
import { ask } from '../api.ts';
import { Failed, useDeskAction } from '../desk-action.tsx';
import styles from '../office.module.css';
import { DeskDialog, LeaveButton } from '../under-way.tsx';
import { locale, t } from '../words.ts';
import { setUpQuery } from './set-up-page.tsx';

/** The clinic's contacts, and whether patients can come in. */
export function Clinic({
  contacts,
  ...shown
}: Pick<ApiSetUp, 'contacts' | 'maintenance' | 'formVersion'>) {
  const facts = [
    [t('desk.setUp.clinicName'), contacts.name],
    [t('desk.email'), contacts.email],
    [t('desk.phone'), contacts.phone],
    [t('desk.setUp.address'), contacts.address],
  ] as const;
  return (
    <>
      <Maintenance {...shown} />
      <section className={styles.section}>
        <h2>{t('desk.setUp.contacts')}</h2>
        <p className={styles.about}>{t('desk.setUp.contactsAbout')}</p>
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

function Maintenance({ maintenance, formVersion }: Pick<ApiSetUp, 'maintenance' | 'formVersion'>) {
  const [message, setMessage] = useState('');
  const [isAsked, setAsked] = useState(false);
  const change = useDeskAction({
    work: async (isOffline: boolean) => {
      try {
        return await ask('deskMaintenance', {
          headers: formHeaders(formVersion, ['maintenance']),
          body: { isOffline, ...(isOffline && { message }) },
        });
      } finally {
        setAsked(false);
      }
    },
    shows: [setUpQuery.queryKey],
  });
  return (
    <section className={styles.section}>
      <h2>{t('desk.setUp.maintenance')}</h2>
      <Failed of={change} />
      <ActionOutcome press={change.submittedAt} kind="good">
        {change.isSuccess && t(change.variables ? 'desk.setUp.announced' : 'desk.setUp.ended')}
      </ActionOutcome>
      {maintenance === null ? (
        <>
          <p>{t('desk.setUp.isOnline')}</p>
          <form
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault();
              setAsked(true);
            }}
          >
            <TextField
              label={t('desk.setUp.message')}
              hint={t('desk.setUp.messageHint')}
              optional
              maxLength={300}
              value={message}
              onChange={setMessage}
            />
            <div>
              <Button type="submit" variant="secondary">
                {t('desk.setUp.announce')}
              </Button>
            </div>
          </form>
        </>
      ) : (
        <>
          <Notice kind="caution">
            <p>{t('desk.setUp.isOffline', { since: formatMoment(locale, maintenance.since) })}</p>
            {maintenance.message !== null && <p>{maintenance.message}</p>}
          </Notice>
          <div>
            <Button
              busy={change.isPending}
              busyLabel={t('desk.setUp.ending')}
              onClick={() => change.mutate(false)}
            >
              {t('desk.setUp.end')}
            </Button>
          </div>
        </>
      )}
      {isAsked && (
        <DeskDialog
          title={t('desk.setUp.announceTitle')}
          onClose={() => setAsked(false)}
          actions={
            <>
              <Button
                variant="danger"
                busy={change.isPending}
                busyLabel={t('desk.setUp.announcing')}
                onClick={() => change.mutate(true)}
              >
                {t('desk.setUp.announce')}
              </Button>
              <LeaveButton onClick={() => setAsked(false)}>{t('desk.setUp.leave')}</LeaveButton>
            </>
          }
        >
          <p>{t('desk.setUp.announceAbout')}</p>
        </DeskDialog>
      )}
    </section>
  );
}
