import { type RefObject, useLayoutEffect, useRef } from 'react'

/** As `--calm` and `--ease` in the styles. */
const RISE: KeyframeAnimationOptions = { duration: 180, easing: 'cubic-bezier(0.2, 0, 0, 1)' }

/** Lets the elements of a list glide from where they were when their order changes. */
export function useRise(list: RefObject<HTMLElement | null>, order: unknown) {
  const tops = useRef(new Map<Element, number>())
  // biome-ignore lint/correctness/useExhaustiveDependencies: positions are compared after each change of the order.
  useLayoutEffect(() => {
    const elements = [...(list.current?.children ?? [])] as HTMLElement[]
    const before = tops.current
    tops.current = new Map(elements.map(element => [element, element.offsetTop]))
    if (before.size === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const [element, top] of tops.current) {
      const moved = (before.get(element) ?? top) - top
      if (moved !== 0) element.animate([{ transform: `translateY(${moved}px)` }, { transform: 'none' }], RISE)
    }
  }, [list, order])
}
