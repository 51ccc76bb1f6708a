import { codeOf, errorOfField, messageOf } from '@clinic/app/api-error';
import { Form, type FoundError, useForm } from '@clinic/app/form';
import type { CallAnswer } from '@clinic/contract';
import { currentAgreement } from '@clinic/contract/agreements';
import { registrationText } from '@clinic/contract/identity-texts';
import { NO_DATE, calendarDate, patientPages } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { DateField } from '@clinic/ui/date-field';
import { Notice } from '@clinic/ui/notice';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { PasswordField } from '@clinic/ui/password-field';
import { TextField } from '@clinic/ui/text-field';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Redirect } from 'wouter';
import { locale, t } from '../../messages/t.ts';
import { configQuery, useConfig } from '../../api/config.ts';
import { request } from '../../api/service.ts';
import '../../shared/fields/identity-words.ts';
import { useMailedLink } from '../../shared/mailed-link.ts';
import { ButtonLink } from '../../shared/shell/button-link.tsx';
import { ClinicContact } from '../../shared/shell/clinic-contact.tsx';
import { Page } from '../../shared/shell/page.tsx';
import { useAction } from '../../shared/use-action.ts';
import { LinkAgain, LinkNotWhole } from './link-not-whole.tsx';
import './register-words.ts';
import styles from './register.module.css';
import { Consent } from './sign-up-groups.tsx';

type Link = CallAnswer<'readAccountLink'>['extras'];

interface Opened {
  kind: Link['kind'];
  /** From when on a new address counts; undefined for now. */
  countsFrom: number | undefined;
}

/** Refusals after which the link is no longer usable. */
const OVER: readonly unknown[] = ['accountLinkOver', 'emailTaken', 'cardKnown', 'invitedCardKnown'];

/**
 * Opened by a link in an email of the clinic, to confirm a new address or open an account. The
 * token follows the hash of the address, so a second link can open in the same tab, while an anchor within
 * the page is none.
 */
export function AccountLinkPage() {
  const { link, mended } = useMailedLink();
  const [opened, setOpened] = useState(link);
  if (link !== null && link.secret !== opened?.secret) setOpened(link);
  if (mended !== null) return <Redirect to={mended} replace />;
  if (opened === null) return <LinkNotWhole title={t('register.linkTitle')} />;
  return <AccountLink key={opened.secret} token={opened.secret} />;
}

function AccountLink({ token }: { token: string }) {
  const [opened, setOpened] = useState<Opened>();
  const link = useQuery({
    queryKey: ['accountLink', token],
    queryFn: async () => (await request('readAccountLink', { body: { token } })).extras,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  if (opened !== undefined)
    return (
      <Page title={t('register.linkTitle')} width="narrow" screen="opened">
        <Notice kind="good" role="status">
          <p>
            {opened.countsFrom === undefined
              ? t(opened.kind === 'email' ? 'register.linkEmailDone' : 'register.linkAccountDone')
              : t('register.linkEmailWaits', {
                  when: formatMoment(locale(), opened.countsFrom),
                })}
          </p>
        </Notice>
        <ButtonLink to={patientPages.login} wide>
          {t('register.logIn')}
        </ButtonLink>
      </Page>
    );
  if (link.data) return <LinkForm token={token} link={link.data} onOpened={setOpened} />;
  return (
    <Page title={t('register.linkTitle')} width="narrow" screen="link">
      {link.isPending && <LoadingState />}
      {link.error && <Over error={link.error} />}
      {link.error && !OVER.includes(codeOf(link.error)) && (
        <FailedState onRetry={() => void link.refetch()} busy={link.isFetching}>
          {messageOf(link.error)}
        </FailedState>
      )}
    </Page>
  );
}

/** Says that the link is no longer usable. Where it is another than the one that was mailed, that can be opened. */
function Over({ error }: { error: unknown }) {
  if (!OVER.includes(codeOf(error))) return null;
  return (
    <>
      <Notice kind="danger" role="alert">
        <p>{messageOf(error)}</p>
        <ClinicContact />
      </Notice>
      {codeOf(error) === 'accountLinkOver' && <LinkAgain />}
    </>
  );
}

interface LinkFormProps {
  token: string;
  link: Link;
  onOpened: (opened: Opened) => void;
}

const EMPTY = { birthDate: NO_DATE, card: '', password: '', consent: false };

function LinkForm({ token, link: { kind, email, asksForCard }, onOpened }: LinkFormProps) {
  const [typed, setTyped] = useState(EMPTY);
  const form = useForm([typed, setTyped]);
  const { birthDate, card, password, consent } = typed;
  const { year, month, day } = birthDate;
  const isInvitation = kind === 'invitation';
  const config = useConfig();
  const queryClient = useQueryClient();
  const { version } = currentAgreement('signUp', config?.agreements);
  const send = () =>
    request('acceptAccountLink', {
      body: {
        token,
        birthDay: day,
        birthMonth: month,
        birthYear: year,
        ...(asksForCard && { card }),
        ...(isInvitation && {
          password,
          consent: { given: consent, version },
        }),
      },
    });
  const accept = useAction({
    work: send,
    onDone: ({ extras }) => onOpened({ kind, countsFrom: extras?.countsFrom }),
    onFailed(error) {
      form.failed(error, messageOf(error, t('register.linkFailed'), t('register.linkUnknown')));
      if (errorOfField(error, 'consent') !== undefined) {
        // The new text needs a new consent.
        setTyped((now) => ({ ...now, consent: false }));
        void queryClient.refetchQueries({ queryKey: configQuery.queryKey });
      }
    },
  });
  const check = () => {
    const found: FoundError<keyof typeof EMPTY>[] = [];
    const find = (field: 'birthDate' | 'card', code: 'missing' | 'invalid' = 'missing') => {
      const named = field === 'card' ? 'healthCardNumber' : field;
      found.push({ field, message: registrationText(locale(), { field: named, code }) });
    };
    if (calendarDate(year, month, day) === null)
      find('birthDate', year && month && day ? 'invalid' : 'missing');
    if (asksForCard && card.trim() === '') find('card');
    return found;
  };
  const isOver = OVER.includes(codeOf(accept.error));
  return (
    <Page
      title={t('register.linkTitle')}
      width="narrow"
      lead={
        isOver ? null : t(isInvitation ? 'register.linkAccount' : 'register.linkEmail', { email })
      }
      screen={isOver ? 'over' : 'link'}
    >
      {isOver && <Over error={accept.error} />}
      {!isOver && (
        <Card>
          <Form
            of={form}
            className={styles.form}
            pending={accept.pending}
            check={check}
            onSend={accept.run}
          >
            <DateField
              {...form.field('birthDate')}
              label={t('identity.birthDate')}
              autoComplete="bday"
            />
            {asksForCard && (
              <TextField
                {...form.field('card')}
                label={t('register.linkCard')}
                hint={t('register.linkCardHint')}
                autoComplete="off"
                maxLength={40}
              />
            )}
            {isInvitation && (
              <>
                <PasswordField
                  {...form.field('password')}
                  label={t('register.linkPassword')}
                  hint={t('register.passwordHint')}
                  autoComplete="new-password"
                  maxLength={128}
                />
                <Consent {...form.field('consent')} birthDate={birthDate} />
              </>
            )}
            <Button type="submit" wide busy={accept.pending} busyLabel={t('register.linkOpening')}>
              {t(isInvitation ? 'register.linkOpenAccount' : 'register.confirm')}
            </Button>
          </Form>
        </Card>
      )}
    </Page>
  );
}
