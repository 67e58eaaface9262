"""x"""
from datasets.layouts import box_of_tiles
def jumbled_box(plan, deck, rng):
    box_of_tiles(plan.layout, deck, rng, 40, (8,6))
