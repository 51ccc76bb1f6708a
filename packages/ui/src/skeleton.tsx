import { classNames } from './class-names.ts';
import styles from './skeleton.module.css';

interface SkeletonProps {
  shape?: 'line' | 'heading' | 'chip' | 'card';
  count?: number;
}

/** Grey stand-ins where content will be. Hidden from screen readers: pair it with words. */
export function Skeleton({ shape = 'line', count = 1 }: SkeletonProps) {
  return Array.from({ length: count }, (_, index) => (
    <span key={index} aria-hidden="true" className={classNames(styles.skeleton, styles[shape])} />
  ));
}
