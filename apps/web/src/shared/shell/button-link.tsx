import { buttonClass, type ButtonLook } from '@clinic/ui/button';
import { classNames } from '@clinic/ui/class-names';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';

interface ButtonLinkProps extends ButtonLook, ComponentProps<typeof Link> {}

/** A link within the app that looks like a button. */
export function ButtonLink({ variant, icon, wide, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={classNames(buttonClass({ variant, wide }), className)}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}
