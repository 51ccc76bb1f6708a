import type { ReactNode } from 'react';
import styles from './account.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Names and values, one beneath the other on phones. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
