import { LoadState } from '@clinic/app/outcome';
import { pathTo } from '@clinic/app/path-to';
import type { ApiCancelled } from '@clinic/contract';
import { deskPages, formatPhone } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { OF_SHEET, ask, liveQuery } from '../../../shared/api.ts';
import type { BookDialogProps } from '../../../shared/booking/book-dialog.tsx';
import { PhoneLink } from '../../../shared/fact.tsx';
import { DeskDialog } from '../../../shared/under-way.tsx';
import { locale, t } from '../../../shared/words.ts';
import styles from './cancelled.module.css';

type Booked = Omit<BookDialogProps, 'onClose'>;

interface CancelledProps {
  date: string;
  /** Begins a booking at a free place; absent where nobody may be booked. */
  onBook?: ((of: Booked) => void) | undefined;
  onClose: () => void;
}

/** Who has cancelled, and to whom the place can be given. */
export function CancelledDialog({ date, onBook, onClose }: CancelledProps) {
  const cancelled = useQuery(
    liveQuery(
      ['cancelled', date],
      async (how) => (await ask('deskCancelled', { params: { date } }, how)).extras.appointments,
      OF_SHEET,
    ),
  );
  return (
    <DeskDialog
      title={t('desk.cancelledList.title')}
      size="large"
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('desk.close')}</Button>}
    >
      <p>{t('desk.cancelledList.about')}</p>
      <LoadState of={cancelled} />
      {cancelled.data?.length === 0 && <p>{t('desk.cancelledList.none')}</p>}
      <ul className={styles.places}>
        {cancelled.data?.map((each) => (
          <Cancelled key={each.id} of={each} onBook={each.place === 'free' ? onBook : undefined} />
        ))}
      </ul>
    </DeskDialog>
  );
}

function Cancelled({ of, onBook }: { of: ApiCancelled; onBook: CancelledProps['onBook'] }) {
  const { patient, description, provider, providerId, start, place, wishes, overrideReason } = of;
  const when = formatMoment(locale(), start);
  const at = { providerId, start };
  return (
    <li>
      <h3>
        {when}, {provider}
      </h3>
      <p>
        {patient}, {description}
      </p>
      <p className={styles.soft}>
        {byWhom(of)}.{' '}
        {overrideReason !== null &&
          `${t('desk.cancelledList.overridden', { reason: t(`desk.override.${overrideReason}`) })} `}
        {t(`desk.cancelledList.${place}`)}.
      </p>
      {wishes.length > 0 && (
        <>
          <p>{t('desk.cancelledList.wishes')}</p>
          <ul className={styles.wishes}>
            {wishes.map(({ id, recordId, name, phone, kind, type, description: what }) => (
              <li key={id}>
                <span>
                  <Link href={pathTo(deskPages.patient, { id: recordId })}>{name}</Link>
                  {', '}
                  {t(`desk.cancelledList.${kind}`, { type: what })}
                  {phone !== null && (
                    <>
                      {', '}
                      <PhoneLink phone={formatPhone(phone)} />
                    </>
                  )}
                </span>
                {onBook && (
                  <Button
                    variant="secondary"
                    aria-label={t('desk.cancelledList.bookFor', { name, when })}
                    onClick={() =>
                      onBook({ forPerson: recordId, at, begins: { type, providerId } })
                    }
                  >
                    {t('desk.cancelledList.book')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {onBook && (
        <Button
          variant="secondary"
          aria-label={t('desk.cancelledList.bookOtherAt', { when })}
          onClick={() => onBook({ at })}
        >
          {t('desk.cancelledList.bookOther')}
        </Button>
      )}
    </li>
  );
}

function byWhom({ cancelledAt, wantedBy, by }: ApiCancelled): string {
  const when = formatMoment(locale(), cancelledAt);
  const isPatient = wantedBy === 'patient';
  if (by === null)
    return t(isPatient ? 'desk.cancelledList.byPatient' : 'desk.cancelledList.byClinic', { when });
  const whose = isPatient
    ? 'desk.cancelledList.staffForPatient'
    : 'desk.cancelledList.staffForClinic';
  return t(whose, { when, name: by });
}
