import type { ApiUser } from '@clinic/contract';
import { toClinic } from '@clinic/domain';
import { formatLongDate, formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { focusIfAsked } from '@clinic/ui/focus';
import { Notice } from '@clinic/ui/notice';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { locale, t } from '../../messages/t.ts';
import { request } from '../../api/service.ts';
import { useUser } from '../../shared/session/session.ts';
import { useDraft } from '../../shared/use-draft.ts';
import styles from './account.module.css';
import { InformationFirst } from './information-first.tsx';
import { differs, draftOf, PROFILE, type KeptProfile, type ProfileDraft } from './profile-draft.ts';
import { ContactFacts, IdentityFacts } from './profile-facts.tsx';
import { ProfileForm } from './profile-form.tsx';

/** Shows the profile; the patient can edit it, then save or discard the changes. */
export function ProfileSection() {
  const user = useUser();
  const heading = useRef<HTMLHeadingElement>(null);
  const [kept, keep] = useDraft<KeptProfile | null>(PROFILE, null);
  const [restored] = useState(
    kept !== null && differs(kept.typed, draftOf(user)) ? kept.typed : null,
  );
  const [editing, setEditing] = useState<ProfileDraft | null>(restored);
  const isEditing = editing !== null;
  const show = (draft: ProfileDraft | null) => {
    flushSync(() => setEditing(draft));
    // The pressed button is gone, so the heading takes the focus.
    focusIfAsked(heading.current);
  };
  const stopEditing = () => {
    keep(null);
    show(null);
  };
  return (
    <section aria-labelledby="account-profile" className={styles.section}>
      <div className={styles.head}>
        <h2 ref={heading} id="account-profile" tabIndex={-1}>
          {t('account.profile')}
        </h2>
        {!isEditing && (
          <Button
            variant="secondary"
            icon={<Pencil size={18} aria-hidden="true" />}
            onClick={() => show(draftOf(user))}
          >
            {t('account.edit')}
          </Button>
        )}
      </div>
      <Card className={styles.card}>
        <IdentityFacts user={user} />
        <p className={styles.note}>{t('account.readOnly')}</p>
      </Card>
      <Watched user={user} />
      <EmailReturned user={user} />
      <DocumentsRefused />
      {isEditing ? (
        <ProfileForm start={editing} restored={editing === restored} onEnd={stopEditing} />
      ) : (
        <Card className={styles.card}>
          <ContactFacts user={user} />
        </Card>
      )}
      {user.shouldUpdate && !isEditing && (
        <InformationFirst onEdit={(familyDoctor) => show({ ...draftOf(user), familyDoctor })} />
      )}
    </section>
  );
}

/** Says why the card is masked, and until when. */
function Watched({ user: { watched } }: { user: ApiUser }) {
  if (!watched) return null;
  const { until } = watched;
  return (
    <Notice kind="caution" title={t('account.watched')}>
      <p>
        {until === null
          ? t('account.watchedUndecided')
          : t('account.watchedText', { until: formatMoment(locale(), until) })}
      </p>
      <p>{t('account.watchedDo')}</p>
    </Notice>
  );
}

/** Shown while emails to the account's address are returned. */
function EmailReturned({ user: { email, emailReturnedAt } }: { user: ApiUser }) {
  if (typeof emailReturnedAt !== 'number') return null;
  const date = formatLongDate(locale(), toClinic(emailReturnedAt).date);
  return (
    <Notice kind="caution" title={t('account.emailReturned')}>
      <p>{t('account.emailReturnedText', { email, date })}</p>
      <p>{t('account.emailReturnedDo')}</p>
    </Notice>
  );
}

const documentsQuery = queryOptions({
  queryKey: ['documents'],
  queryFn: ({ signal }) => request('shouldUploadDocument', {}, { signal, background: true }),
});

/** The clinic's reasons for refusing documents, shown until the patient sends others. */
function DocumentsRefused() {
  const { data } = useQuery(documentsQuery);
  const refused = data?.refused ?? [];
  if (refused.length === 0) return null;
  return (
    <Notice kind="caution" title={t('account.documentRefused')}>
      {refused.map(({ document, reason, at }) => (
        <p key={`${document} ${at}`}>
          {t(`account.documentRefused.${document}`)}{' '}
          <span translate="no" data-private="">
            {reason}
          </span>
        </p>
      ))}
      <p>{t('account.documentAgain')}</p>
    </Notice>
  );
}
