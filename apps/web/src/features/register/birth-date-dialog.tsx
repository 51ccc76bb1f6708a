import { t } from '../../messages/t.ts';
import type { BirthDateParts } from '../../shared/fields/birth-date-field.tsx';
import { MONTHS } from '../../shared/ui/calendar-month.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import styles from './register.module.css';

interface BirthDateDialogProps {
  birthDate: BirthDateParts;
  age: number;
  onConfirm: () => void;
  onCancel: () => void;
}

/** §2 Sign Up: a birth date is looked at twice, since the clinic knows its patients by it. */
export function BirthDateDialog({ birthDate, age, onConfirm, onCancel }: BirthDateDialogProps) {
  const { day, month, year } = birthDate;
  const date = { month: MONTHS[Number(month) - 1] ?? '', day: Number(day), year };
  return (
    <Dialog
      title={t('register.ageTitle')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onConfirm}>{t('register.ageConfirm')}</Button>
          <Button variant="secondary" onClick={onCancel}>
            {t('register.ageCancel')}
          </Button>
        </>
      }
    >
      <p className={styles.age}>
        {t('register.ageDate', date)}
        <br />
        {t('register.age', { age })}
      </p>
      <p>{t('register.ageHint')}</p>
    </Dialog>
  );
}
