import { type ComponentChildren, createElement, type JSX, type Key } from 'preact';

export type Element = JSX.Element;

type Component<P> = (props: P) => ComponentChildren;

/** Preact's `h`, with the attributes of each element checked: its own overloads accept any for most of them. */
export function h<T extends keyof JSX.IntrinsicElements>(
  tag: T,
  attributes: JSX.IntrinsicElements[T] | null,
  ...children: ComponentChildren[]
): Element;
export function h<P extends object>(
  component: Component<P>,
  properties: Omit<P, 'children'> & { readonly key?: Key },
  ...children: ComponentChildren[]
): Element;
export function h(
  type: string | Component<object>,
  properties: object | null,
  ...children: ComponentChildren[]
): Element {
  return createElement(type as string, properties, ...children);
}
