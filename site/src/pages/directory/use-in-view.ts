import { type RefObject, useEffect, useState } from 'react'

/** A little more than what is seen, so that figures are there when a row is. */
const MARGIN = '200px 0px'
/** What is only passed by while scrolling asks for nothing. */
const SETTLED_MS = 250

/** One observer for everything. */
let observer: IntersectionObserver | undefined
const listeners = new WeakMap<Element, (isInView: boolean) => void>()

function observe(element: Element, listener: (isInView: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { rootMargin: MARGIN },
  )
  listeners.set(element, listener)
  observer.observe(element)
  return () => {
    observer?.unobserve(element)
    listeners.delete(element)
  }
}

/** Whether an element is in view, and has been for a moment. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    if (!element.current) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = observe(element.current, isNear => {
      clearTimeout(timer)
      if (isNear) timer = setTimeout(() => setInView(true), SETTLED_MS)
      else setInView(false)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [element])
  return isInView
}
