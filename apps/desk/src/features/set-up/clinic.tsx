import type { ApiSetUp, CallInput } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { formHeaders } from '@clinic/ui/changed-elsewhere';
import { Notice } from '@clinic/ui/notice';
import { TextField } from '@clinic/ui/text-field';
import { useState } from 'react';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { ask } from '../../shared/api.ts';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { Fact, Facts } from '../../shared/fact.tsx';
import { Section } from '../../shared/section.tsx';
import { SendForm } from '../../shared/send-form.tsx';
import { locale, t } from '../../shared/words.ts';
import { setUpQuery } from './set-up-page.tsx';

/** The clinic's contacts, and whether patients can come in. */
export function Clinic({
  contacts,
  ...shown
}: Pick<ApiSetUp, 'contacts' | 'maintenance' | 'formVersion'>) {
  return (
    <>
      <Maintenance {...shown} />
      <Section title={t('desk.setUp.contacts')} about={t('desk.setUp.contactsAbout')}>
        <Facts>
          <Fact name={t('desk.setUp.clinic')}>{contacts.name}</Fact>
          <Fact name={t('desk.email')}>{contacts.email}</Fact>
          <Fact name={t('desk.phone')}>{contacts.phone}</Fact>
          <Fact name={t('desk.address')}>{contacts.address}</Fact>
        </Facts>
      </Section>
    </>
  );
}

function Maintenance({ maintenance, formVersion }: Pick<ApiSetUp, 'maintenance' | 'formVersion'>) {
  const [message, setMessage] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [said, say] = useSaid();
  const change = (body: CallInput<'deskMaintenance'>['body']) =>
    ask('deskMaintenance', { headers: formHeaders(formVersion, ['maintenance']), body });
  const end = useAction({
    work: () => change({ isOffline: false }),
    onDone: () => say(t('desk.setUp.ended')),
    shows: [setUpQuery.queryKey],
  });
  return (
    <Section title={t('desk.setUp.maintenance')}>
      <Outcome of={end} />
      {said}
      {maintenance === null ? (
        <>
          <p>{t('desk.setUp.isOnline')}</p>
          <SendForm
            does={t('desk.setUp.announce')}
            variant="secondary"
            onSend={() => setAsked(true)}
          >
            <TextField
              label={t('desk.setUp.message')}
              hint={t('desk.setUp.messageHint')}
              optional
              maxLength={300}
              value={message}
              onChange={setMessage}
            />
          </SendForm>
        </>
      ) : (
        <>
          <Notice kind="caution">
            <p>{t('desk.setUp.isOffline', { since: formatMoment(locale(), maintenance.since) })}</p>
            {maintenance.message !== null && <p>{maintenance.message}</p>}
          </Notice>
          <div>
            <Button busy={end.pending} busyLabel={t('desk.setUp.ending')} onClick={() => end.run()}>
              {t('desk.setUp.end')}
            </Button>
          </div>
        </>
      )}
      {isAsked && (
        <ActionDialog
          title={t('desk.setUp.announceTitle')}
          does={t('desk.setUp.announce')}
          doing={t('desk.setUp.announcing')}
          isDanger
          work={() => change({ isOffline: true, message })}
          shows={[setUpQuery.queryKey]}
          onDone={() => {
            setAsked(false);
            say(t('desk.setUp.announced'));
          }}
          onClose={() => setAsked(false)}
        >
          <p>{t('desk.setUp.announceAbout')}</p>
        </ActionDialog>
      )}
    </Section>
  );
}
