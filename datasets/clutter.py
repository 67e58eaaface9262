"""x"""
def add_clutter(plan, design, rng, profile): pass
