"""Pass NamedTuples of arrays by reference to compiled code.

Numba passes a NamedTuple by value, and each of its arrays as seven numbers or more. The search of a
hidden Markov model has 130 arrays. So every call between functions would pass a thousand arguments.
Here a driver writes these numbers to memory once, when it is called, and kernels get one pointer.
They read each field from memory. Fields never change, so compiled code may keep them in
registers, even while the arrays' elements change.
"""

from __future__ import annotations

import hashlib
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import (
    NativeValue,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

#: A special type that identifies parameters as references.
POINTER = ir.LiteralStructType([ir.ArrayType(ir.IntType(8), 0)]).as_pointer()


class Reference(types.Type):
    """The compiled type of a NamedTuple, with the types of its members in order."""

    def __init__(self, instance_class: type, members: tuple[types.Type, ...]):
        self.instance_class = instance_class
        self.members = members
        digest = hashlib.sha256(repr(members).encode()).hexdigest()[:12]
        where = f"{instance_class.__module__}.{instance_class.__qualname__}"
        # a short name, because every symbol contains its argument types
        super().__init__(f"{where}[{digest}]")

    def member(self, field: str) -> types.Type:
        return self.members[self.instance_class._fields.index(field)]


READABLE = (Reference, types.Array, types.Number, types.Boolean)


def by_reference(kind: type) -> type:
    """Pass NamedTuples of a class by reference, with nested NamedTuples; return the class."""

    @typeof_impl.register(kind)
    def typeof(value, context):
        return _typeof(value, context)

    return kind


def _typeof(value: Any, context: Any) -> types.Type:
    if not (isinstance(value, tuple) and hasattr(value, "_fields")):
        return typeof_impl(value, context)
    members = tuple(_typeof(member, context) for member in value)
    for name, member, kind in zip(value._fields, value, members, strict=True):
        if not isinstance(kind, READABLE):  # other types would need reference counting
            raise TypeError(
                f"Field {name!r} of {type(value).__name__} is a {type(member).__name__}: kernels "
                "can read arrays, numbers and NamedTuples of these."
            )
    return Reference(type(value), members)


def in_order(kind: types.Type) -> bool:
    """Return True if a type is a reference and all its arrays, also nested, are contiguous."""
    return isinstance(kind, Reference) and all(
        (isinstance(member, types.Array) and member.layout == "C") or in_order(member)
        for member in kind.members
    )


@register_model(Reference)
class _Model(models.PrimitiveModel):
    def __init__(self, manager, reference):
        super().__init__(manager, reference, POINTER)

    def from_argument(self, builder, value):
        value.attributes.dereferenceable = _least_size(self.fe_type)
        return super().from_argument(builder, value)


def _least_size(member: types.Type) -> int:
    """Return the minimum size of a member in bytes."""
    if isinstance(member, Reference):
        return sum(map(_least_size, member.members))
    return 40 + 16 * member.ndim if isinstance(member, types.Array) else 1


def layout(context, member: types.Type) -> ir.Type:
    """Return the layout of a member; nested NamedTuples are stored inline."""
    if isinstance(member, Reference):
        return ir.LiteralStructType([layout(context, each) for each in member.members])
    return context.get_data_type(member)


def address(context, builder, reference: Reference, pointer, field: str):
    """Return the pointer to a field."""
    record = builder.bitcast(pointer, layout(context, reference).as_pointer())
    return cgutils.gep_inbounds(builder, record, 0, reference.instance_class._fields.index(field))


@infer_getattr
class _Attributes(AttributeTemplate):
    key = Reference

    def generic_resolve(self, reference, attribute):
        if attribute in reference.instance_class._fields:
            return reference.member(attribute)
        return None


@lower_getattr_generic(Reference)
def read(context, builder, reference, pointer, field):
    """Return the value of a field. The caller keeps arrays alive, so references are not counted."""
    member, place = reference.member(field), address(context, builder, reference, pointer, field)
    if isinstance(member, Reference):
        return builder.bitcast(place, POINTER)
    if not isinstance(member, types.Array):
        return context.data_model_manager[member].load_from_data_pointer(builder, place)
    return borrowed(builder, builder.load(place))


def borrowed(builder, array):
    """Return an array without reference counting, by clearing the two fields for its owner."""
    for i in range(2):
        array = builder.insert_value(array, ir.Constant(array.type.elements[i], None), i)
    return array


@unbox(Reference)
def _unbox(reference, value, c):
    record = cgutils.alloca_once(c.builder, layout(c.context, reference))
    failed = _lay_out(c, reference, value, record)
    return NativeValue(c.builder.bitcast(record, POINTER), is_error=failed)


def _lay_out(c, reference, value, record):
    """Generate code that fills a record; return an LLVM boolean, true if an exception was set."""
    failed = cgutils.false_bit
    for i, member in enumerate(reference.members):
        place = cgutils.gep_inbounds(c.builder, record, 0, i)
        item = c.pyapi.tuple_getitem(value, i)
        if isinstance(member, Reference):
            wrong = _lay_out(c, member, item, place)
        elif isinstance(member, types.Array):
            wrong = c.builder.call(_array_unboxer(c, member), [item, place])
        else:
            native = c.pyapi.to_native_value(member, item)
            c.context.pack_value(c.builder, member, native.value, place)
            wrong = native.is_error
        failed = c.builder.or_(failed, wrong)
    return failed


def _array_unboxer(c, member: types.Array) -> ir.Function:
    """Return the function that unboxes arrays of this type; a module has one per type."""
    module, name = c.builder.module, f"prviz.lay_out.{member}"
    if name in module.globals:
        return module.globals[name]
    kind = c.context.get_data_type(member)
    signature = ir.FunctionType(ir.IntType(1), [c.pyapi.pyobj, kind.as_pointer()])
    function = ir.Function(module, signature, name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block())
    native = c.context.get_python_api(builder).to_native_value(member, function.args[0])
    with builder.if_then(native.is_error, likely=False):
        builder.ret(cgutils.true_bit)
    builder.store(native.value, function.args[1])
    c.context.nrt.decref(builder, member, native.value)  # the driver's caller keeps the array alive
    builder.ret(cgutils.false_bit)
    return function
