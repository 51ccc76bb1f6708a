import { clinicNow } from '@clinic/app/clock';
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Place } from '../../shared/booking/booking-data.ts';
import type { SheetColumn, Span } from './lines.ts';

/** A place of the sheet. */
interface At extends Place {
  readonly columnId: string;
}

/** Where a dragged appointment would land, with its present length. */
export interface Landing extends At, Span {
  /** 'closed' asks for a reason after the drop; 'taken' and 'past' accept no drop. */
  readonly is: 'free' | 'closed' | 'taken' | 'past';
}

const STEP_SECONDS = 300;

/** The bit of the main button in `buttons`. */
const MAIN_BUTTON = 1;
/** Pointer movement below this many pixels counts as a press, as hands shake. */
const SHAKES_BY = 5;
/** Within this many pixels of an edge the sheet scrolls, by so many pixels a frame. */
const EDGE = 40;
const SCROLLS_BY = 12;

/** The appointment that is being pressed. */
interface Grip {
  readonly sheet: HTMLElement;
  readonly id: string;
  readonly pointerId: number;
  readonly x: number;
  readonly y: number;
  /** How many pixels below its upper edge the appointment is pressed. */
  readonly beneath: number;
}

/** Position of the dragging pointer, and the place beneath it. */
interface Dragged {
  readonly x: number;
  readonly y: number;
  /** Null outside the columns. */
  readonly place: At | null;
}

interface DragProps {
  columns: readonly SheetColumn[];
  /** Height of five minutes in pixels; null where the sheet is no scale, and nothing is dragged. */
  step: number | null;
  /** The appointment was dropped at a place that accepts it. */
  onDrop: (id: string, to: Place) => void;
}

/** Drags movable appointments by mouse or pen; a finger scrolls instead. Escape cancels. */
export function useDrag({ columns, step, onDrop }: DragProps) {
  const [grip, setGrip] = useState<Grip | null>(null);
  const [dragged, setDragged] = useState<Dragged | null>(null);
  // Browsers fire a click after a drop; it must not count as a press.
  const swallowsClick = useRef(false);
  const isDragging = dragged !== null;
  const all = columns.flatMap(({ provider }) => provider.appointments);
  const moving = all.find(({ id }) => id === grip?.id);
  const seconds = moving ? moving.end - moving.start : 0;

  function landingOf(place: At | null): Landing | null {
    const provider = columns.find(({ id }) => id === place?.columnId)?.provider;
    if (!place || !moving || !provider) return null;
    const isOwn = provider.appointments.includes(moving) && place.start === moving.start;
    return isOwn ? null : landingOn(provider, place, seconds);
  }

  // A drag goes on, and ends, also outside of the sheet.
  useEffect(() => {
    if (grip === null) return undefined;
    const { sheet } = grip;
    const end = () => {
      setGrip(null);
      setDragged(null);
    };
    const follow = (x: number, y: number) => {
      swallowsClick.current = true;
      setDragged({ x, y, place: placeAt(grip, { x, y }, { columns, seconds, step: step ?? 1 }) });
    };
    const isMeant = (x: number, y: number) =>
      isDragging || Math.hypot(x - grip.x, y - grip.y) >= SHAKES_BY;
    const onMove = ({ clientX, clientY, buttons, pointerId }: globalThis.PointerEvent) => {
      if (pointerId !== grip.pointerId) return;
      // The main button was released outside the window, or while another is held.
      if ((buttons & MAIN_BUTTON) === 0) end();
      else if (isMeant(clientX, clientY)) follow(clientX, clientY);
    };
    const onUp = ({ clientX: x, clientY: y, button, pointerId }: globalThis.PointerEvent) => {
      if (pointerId !== grip.pointerId) return;
      end();
      if (button !== 0 || !isMeant(x, y)) return;
      const to = landingOf(placeAt(grip, { x, y }, { columns, seconds, step: step ?? 1 }));
      if (to?.is === 'free' || to?.is === 'closed')
        onDrop(grip.id, { providerId: to.providerId, start: to.start });
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      end();
      if (!isDragging) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onScroll = () => {
      if (dragged) follow(dragged.x, dragged.y);
    };
    let frame = 0;
    const scroll = () => {
      if (dragged) scrollAtEdge(sheet, dragged);
      frame = requestAnimationFrame(scroll);
    };
    if (isDragging) frame = requestAnimationFrame(scroll);
    addEventListener('pointermove', onMove);
    addEventListener('pointerup', onUp);
    addEventListener('pointercancel', end);
    addEventListener('keydown', onKey, { capture: true });
    sheet.addEventListener('scroll', onScroll);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('pointermove', onMove);
      removeEventListener('pointerup', onUp);
      removeEventListener('pointercancel', end);
      removeEventListener('keydown', onKey, { capture: true });
      sheet.removeEventListener('scroll', onScroll);
    };
  });

  return {
    draggedId: isDragging ? (grip?.id ?? null) : null,
    landing: dragged && landingOf(dragged.place),
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        swallowsClick.current = false;
        const entry = entryOf(event);
        if (entry === null || step === null || event.button !== 0 || event.pointerType === 'touch')
          return;
        const { clientX: x, clientY: y } = event;
        const beneath = y - entry.getBoundingClientRect().top;
        const { currentTarget: sheet, pointerId } = event;
        setGrip({ sheet, id: entry.dataset.moves ?? '', pointerId, x, y, beneath });
      },
      onPointerOver(event: PointerEvent<HTMLElement>) {
        const entry = entryOf(event);
        // Otherwise a pen would scroll as a finger does; this runs while the pen hovers.
        if (entry) entry.style.touchAction = event.pointerType === 'pen' ? 'none' : '';
      },
      onClickCapture(event: MouseEvent<HTMLElement>) {
        // A press of a key fires a click without a pointer.
        if (!swallowsClick.current || event.detail === 0) return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}

const entryOf = ({ target }: PointerEvent) =>
  (target as Element).closest<HTMLElement>('[data-moves]');

/** An appointment's own time counts as taken too, since it keeps that time until it has moved. */
function landingOn(
  { closed, busy, appointments }: SheetColumn['provider'],
  place: At,
  seconds: number,
): Landing {
  const { start } = place;
  const end = start + seconds;
  const isOn = (span: Span) => span.start < end && start < span.end;
  const is = () => {
    if (start + STEP_SECONDS <= clinicNow()) return 'past';
    if (appointments.some(isOn) || busy.some(isOn)) return 'taken';
    return closed.some(isOn) ? 'closed' : 'free';
  };
  return { ...place, end, is: is() };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The step of the column nearest to the pointer; null outside the columns. */
function placeAt(
  { sheet, beneath }: Grip,
  { x, y }: Point,
  { columns, seconds, step }: { columns: readonly SheetColumn[]; seconds: number; step: number },
): At | null {
  const box = sheet.getBoundingClientRect();
  if (x < box.left || x > box.right || y < box.top || y > box.bottom) return null;
  const column = [...sheet.querySelectorAll<HTMLElement>('[data-column]')].findLast((each) => {
    const { left, right } = each.getBoundingClientRect();
    return x >= left && x < right;
  });
  const lane = column?.querySelector('[data-lane]');
  const of = columns.find(({ id }) => id === column?.dataset.column);
  if (!lane || !of) return null;
  const top = y - beneath - lane.getBoundingClientRect().top;
  const start = of.start + Math.round(top / step) * STEP_SECONDS;
  const last = Math.max(of.start, of.end - seconds);
  return {
    columnId: of.id,
    providerId: of.provider.id,
    start: Math.min(Math.max(start, of.start), last),
  };
}

function scrollAtEdge(sheet: HTMLElement, { x, y }: Point) {
  const { left, right, top, bottom } = sheet.getBoundingClientRect();
  const by = (at: number, from: number, to: number) => {
    if (at < from + EDGE) return -SCROLLS_BY;
    return at > to - EDGE ? SCROLLS_BY : 0;
  };
  sheet.scrollLeft += by(x, left, right);
  sheet.scrollTop += by(y, top, bottom);
}
