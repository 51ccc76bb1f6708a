import type { CallAnswer } from '@clinic/contract';
import { currentAgreement } from '@clinic/contract/agreements';
import { registrationText } from '@clinic/contract/identity-texts';
import { NO_DATE, type RegistrationField, calendarDate } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { DateField } from '@clinic/ui/date-field';
import { ErrorSummary } from '@clinic/ui/error-summary';
import { ErrorTextsGone } from '@clinic/ui/field';
import { Notice } from '@clinic/ui/notice';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { PasswordField } from '@clinic/ui/password-field';
import { TextField } from '@clinic/ui/text-field';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Redirect } from 'wouter';
import { locale, t } from '../../messages/t.ts';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { configQuery, useConfig } from '../../api/config.ts';
import { request } from '../../api/service.ts';
import { type FoundError, useFormErrors } from '../../shared/forms/form-errors.ts';
import '../../shared/fields/identity-words.ts';
import { useMailedLink } from '../../shared/mailed-link.ts';
import { ButtonLink } from '../../shared/shell/button-link.tsx';
import { ClinicContact } from '../../shared/shell/clinic-contact.tsx';
import { Page } from '../../shared/shell/page.tsx';
import { useAction } from '../../shared/use-action.ts';
import { LinkAgain, LinkNotWhole } from './link-not-whole.tsx';
import './register-words.ts';
import styles from './register.module.css';
import { EMPTY_SIGN_UP } from './sign-up-draft.ts';
import { Consent } from './sign-up-groups.tsx';

type Link = CallAnswer<'readAccountLink'>['extras'];

interface Opened {
  kind: Link['kind'];
  /** From when on a new address counts; undefined for now. */
  countsFrom: number | undefined;
}

/** Refusals after which the link is no longer usable. */
const OVER: readonly unknown[] = ['accountLinkOver', 'emailTaken', 'cardKnown', 'invitedCardKnown'];
const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : null);

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
        <ButtonLink to="/login" wide>
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
  const { data: config = null } = useQuery(configQuery);
  if (!OVER.includes(codeOf(error))) return null;
  return (
    <>
      <Notice kind="danger" role="alert">
        <p>{messageOf(error)}</p>
        <ClinicContact config={config} />
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

/** Fields of the call that belong to a field of this form. */
const FIELDS: Readonly<Record<string, RegistrationField>> = {
  password: 'password',
  consent: 'consent',
};

function LinkForm({ token, link: { kind, email, asksForCard }, onOpened }: LinkFormProps) {
  const errors = useFormErrors<RegistrationField>(useId());
  const [birthDate, setBirthDate] = useState(NO_DATE);
  const [card, setCard] = useState('');
  const [password, setPassword] = useState('');
  const [consent, setConsent] = useState(false);
  const isInvitation = kind === 'invitation';
  const config = useConfig();
  const queryClient = useQueryClient();
  const { version } = currentAgreement('signUp', config?.agreements);
  const send = () =>
    request('acceptAccountLink', {
      body: {
        token,
        birthDay: birthDate.day,
        birthMonth: birthDate.month,
        birthYear: birthDate.year,
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
      const [wrong] = error instanceof ApiError ? error.fieldErrors : [];
      const field = FIELDS[wrong?.field ?? ''] ?? null;
      errors.show([
        {
          field,
          message:
            wrong?.message ?? messageOf(error, t('register.linkFailed'), t('register.linkUnknown')),
        },
      ]);
      if (field === 'consent') {
        // The new text needs a new consent.
        setConsent(false);
        void queryClient.refetchQueries({ queryKey: configQuery.queryKey });
      }
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { year, month, day } = birthDate;
    const found: FoundError<RegistrationField>[] = [];
    const find = (
      field: 'birthDate' | 'healthCardNumber',
      code: 'missing' | 'invalid' = 'missing',
    ) => found.push({ field, message: registrationText(locale(), { field, code }) });
    if (calendarDate(year, month, day) === null)
      find('birthDate', year && month && day ? 'invalid' : 'missing');
    if (asksForCard && card.trim() === '') find('healthCardNumber');
    if (found.length > 0) errors.show(found);
    else if (!accept.pending) accept.run();
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
          <form className={styles.form} onSubmit={submit} noValidate>
            <ErrorSummary errors={errors.summary} attempt={errors.attempt} />
            <ErrorTextsGone value={errors.textsGone}>
              <DateField
                id={errors.idOf('birthDate')}
                label={t('identity.birthDate')}
                autoComplete="bday"
                error={errors.errorOf('birthDate')}
                value={birthDate}
                onChange={(next) => {
                  setBirthDate(next);
                  errors.edited('birthDate');
                }}
              />
              {asksForCard && (
                <TextField
                  id={errors.idOf('healthCardNumber')}
                  label={t('register.linkCard')}
                  hint={t('register.linkCardHint')}
                  error={errors.errorOf('healthCardNumber')}
                  autoComplete="off"
                  maxLength={40}
                  value={card}
                  onChange={(next) => {
                    setCard(next);
                    errors.edited('healthCardNumber');
                  }}
                />
              )}
              {isInvitation && (
                <>
                  <PasswordField
                    id={errors.idOf('password')}
                    label={t('register.linkPassword')}
                    hint={t('register.passwordHint')}
                    error={errors.errorOf('password')}
                    autoComplete="new-password"
                    maxLength={128}
                    value={password}
                    onChange={(value) => {
                      setPassword(value);
                      errors.edited('password');
                    }}
                  />
                  <Consent
                    typed={{ ...EMPTY_SIGN_UP, birthDate, consent }}
                    errors={errors}
                    change={(next) => {
                      setConsent(next.consent);
                      errors.edited('consent');
                    }}
                  />
                </>
              )}
            </ErrorTextsGone>
            <Button type="submit" wide busy={accept.pending} busyLabel={t('register.linkOpening')}>
              {t(isInvitation ? 'register.linkOpenAccount' : 'register.confirm')}
            </Button>
          </form>
        </Card>
      )}
    </Page>
  );
}
