"""How it does: what each turn took and what came of it, in numbers, and where they can be seen.

    a turn ends ──recording──► turn_measure, measure_total ──figures──► terminal, page
                                                           ──exposition──► Prometheus

Numbers only: nobody's words stand in a measure, a metric, a span or a log.
"""
