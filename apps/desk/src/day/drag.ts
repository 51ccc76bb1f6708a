import type { ApiDaySheet } from '@clinic/contract';
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { now } from '../api.ts';
import type { Place } from '../booking/booking-data.ts';

type Provider = ApiDaySheet['providers'][number];
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a dragged appointment would land, as long as it is now. */
export interface Landing extends Place, Span {
  /** Closed time asks for a reason later; time that is taken or over takes nothing. */
  readonly is: 'free' | 'closed' | 'taken' | 'past';
}

const STEP_SECONDS = 300;
/** One step of five minutes: room for a line, and for a finger. */
const STEP_HEIGHT = 28;

/** How far beneath another an instant of the sheet is. */
export const topOf = (at: number, from: number) => ((at - from) / STEP_SECONDS) * STEP_HEIGHT;

/** A hand that presses shakes by so many pixels. */
const SHAKES_BY = 5;
/** So near to an edge of the sheet it scrolls, by so much a frame. */
const EDGE = 40;
const SCROLLS_BY = 12;

/** An appointment that is pressed. */
interface Grip {
  readonly sheet: HTMLElement;
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** How far beneath its upper edge it is pressed. */
  readonly beneath: number;
}

/** The pointer that drags it, and over which place. */
interface Dragged {
  readonly x: number;
  readonly y: number;
  /** Null beside the columns. */
  readonly place: Place | null;
}

interface DragProps {
  day: ApiDaySheet;
  hours: Span;
  /** It was dropped where it may be moved to. */
  onDrop: (id: string, to: Place) => void;
}

/** Drags what may be moved, by mouse or pen; a finger scrolls. Escape gives up. */
export function useDrag({ day, hours, onDrop }: DragProps) {
  const [grip, setGrip] = useState<Grip | null>(null);
  const [dragged, setDragged] = useState<Dragged | null>(null);
  // What is let go is not pressed, though the browser says so.
  const swallowsClick = useRef(false);
  const isDragging = dragged !== null;
  const all = day.providers.flatMap(({ appointments }) => appointments);
  const moving = all.find(({ id }) => id === grip?.id);
  const seconds = moving ? moving.end - moving.start : 0;

  function landingOf(place: Place | null): Landing | null {
    const provider = day.providers.find(({ id }) => id === place?.providerId);
    if (!place || !moving || !provider) return null;
    const isOwn = provider.appointments.includes(moving) && place.start === moving.start;
    return isOwn ? null : landingOn(provider, place, seconds);
  }

  useEffect(() => {
    if (grip === null) return undefined;
    const { sheet } = grip;
    const end = () => {
      setGrip(null);
      setDragged(null);
    };
    const follow = (x: number, y: number) => {
      swallowsClick.current = true;
      setDragged({ x, y, place: placeAt(grip, { x, y }, { hours, seconds }) });
    };
    const isMeant = (x: number, y: number) =>
      isDragging || Math.hypot(x - grip.x, y - grip.y) >= SHAKES_BY;
    const onMove = ({ clientX, clientY, buttons }: globalThis.PointerEvent) => {
      // It was let go outside of the window.
      if (buttons === 0) end();
      else if (isMeant(clientX, clientY)) follow(clientX, clientY);
    };
    const onUp = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      end();
      if (!isMeant(x, y)) return;
      const to = landingOf(placeAt(grip, { x, y }, { hours, seconds }));
      if (to?.is === 'free' || to?.is === 'closed')
        onDrop(grip.id, { providerId: to.providerId, start: to.start });
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isDragging) return;
      event.preventDefault();
      event.stopPropagation();
      end();
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
        if (entry === null || event.button !== 0 || event.pointerType === 'touch') return;
        const { clientX: x, clientY: y } = event;
        const beneath = y - entry.getBoundingClientRect().top;
        setGrip({ sheet: event.currentTarget, id: entry.dataset.moves ?? '', x, y, beneath });
      },
      onPointerOver(event: PointerEvent<HTMLElement>) {
        const entry = entryOf(event);
        // A pen would scroll, as a finger does; it is seen before it touches.
        if (entry) entry.style.touchAction = event.pointerType === 'pen' ? 'none' : '';
      },
      onClickCapture(event: MouseEvent<HTMLElement>) {
        // A key presses without a pointer.
        if (!swallowsClick.current || event.detail === 0) return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}

const entryOf = ({ target }: PointerEvent) =>
  (target as Element).closest<HTMLElement>('[data-moves]');

/** Its own time counts as taken, too: an appointment keeps it until it has another. */
function landingOn(
  { closed, busy, appointments }: Provider,
  place: Place,
  seconds: number,
): Landing {
  const { start } = place;
  const end = start + seconds;
  const isOn = (span: Span) => span.start < end && start < span.end;
  const is = () => {
    if (start + STEP_SECONDS <= now()) return 'past';
    if (appointments.some(isOn) || busy.some(isOn)) return 'taken';
    return closed.some(isOn) ? 'closed' : 'free';
  };
  return { ...place, end, is: is() };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The nearest step of the column beneath the pointer. */
function placeAt(
  { sheet, beneath }: Grip,
  { x, y }: Point,
  { hours, seconds }: { hours: Span; seconds: number },
): Place | null {
  const box = sheet.getBoundingClientRect();
  if (x < box.left || x > box.right || y < box.top || y > box.bottom) return null;
  const columns = [...sheet.querySelectorAll<HTMLElement>('[data-column]')];
  const column = columns.findLast((each) => {
    const { left, right } = each.getBoundingClientRect();
    return x >= left && x < right;
  });
  const lane = column?.querySelector('[data-lane]');
  if (!lane) return null;
  const top = y - beneath - lane.getBoundingClientRect().top;
  const start = hours.start + Math.round(top / STEP_HEIGHT) * STEP_SECONDS;
  const last = Math.max(hours.start, hours.end - seconds);
  return {
    providerId: column?.dataset.column ?? '',
    start: Math.min(Math.max(start, hours.start), last),
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
