import { dialledPhone } from '@clinic/domain';
import type { ReactNode } from 'react';
import styles from './fact.module.css';
import { t } from './words.ts';

/** Names, each with its value. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

/** A name and its value in a list of facts. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A patient's number as a link that dials it; one that cannot be right says so. */
export function PhoneLink({ phone, isWrong = false }: { phone: string; isWrong?: boolean }) {
  const dialled = isWrong ? null : dialledPhone(phone);
  return dialled === null ? (
    <>
      {phone} ({t('desk.phoneWrong')})
    </>
  ) : (
    <a href={`tel:${dialled}`}>{phone}</a>
  );
}
